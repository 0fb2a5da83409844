import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { badSetting } from '../config/bad-setting.ts';
import type { EffectiveConfig } from '../config/config.ts';

/** The certificate and the key of the TLS port, in PEM. */
export interface TlsFiles {
  readonly key: string;
  readonly cert: string;
  /** The first certificate of the file: the server's own. */
  readonly certificate: X509Certificate;
}

/** The setting of a certificate or key; undefined where neither is set. */
export const tlsSetting = (config: EffectiveConfig): string | undefined =>
  ['cache.tls-certificate', 'cache.tls-key'].find((key) => config.text(key) !== '');

/** Refuse a certificate without a port for TLS. Throws CLI_BAD_SETTING. */
export function refuseUnusedTls(config: EffectiveConfig): void {
  const key = tlsSetting(config);
  if (key === undefined) return;
  throw badSetting(
    config,
    key,
    'is set, but there is no port for TLS',
    'give one with --tls-port PORT, or remove cache.tls-certificate and cache.tls-key',
  );
}

/** The certificate and its key from the settings. Throws CLI_BAD_SETTING. */
export async function tlsFiles(config: EffectiveConfig): Promise<TlsFiles> {
  const bad = (key: string, problem: string, cause?: unknown) =>
    badSetting(config, key, problem, 'give a PEM file that this user can read', cause);
  const read = async (key: string) => {
    const path = config.text(key);
    if (path === '') throw bad(key, 'is empty, and --tls-port needs it');
    return readFile(resolve(config.folder, path), 'utf8').catch((error: unknown) => {
      throw bad(key, `is ${path}, which cannot be read`, error);
    });
  };
  const files = { cert: await read('cache.tls-certificate'), key: await read('cache.tls-key') };
  const usable = <Result>(key: string, what: string, use: () => Result) => {
    try {
      return use();
    } catch (error) {
      throw bad(key, `is ${config.text(key)}, which holds no ${what}`, error);
    }
  };
  const certificate = usable('cache.tls-certificate', 'certificate', () => new X509Certificate(files.cert));
  usable('cache.tls-key', 'key for that certificate', () => createSecureContext(files));
  return { ...files, certificate };
}
