import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { badSetting } from './bad-setting.ts';
import type { EffectiveConfig } from './config.ts';

/** The servers with a certificate of their own: a cache's door for cached traffic, and every other server. */
type TlsServer = 'cache' | 'http';

/** A certificate and its key, in PEM. */
export interface TlsFiles {
  readonly key: string;
  readonly cert: string;
  /** The first certificate of the file: the server's own. */
  readonly certificate: X509Certificate;
}

/** The setting of a certificate or key; undefined where neither is set. */
export const tlsSetting = (config: EffectiveConfig, server: TlsServer): string | undefined =>
  [`${server}.tls-certificate`, `${server}.tls-key`].find((key) => config.text(key) !== '');

/** Refuse a certificate of a cache without a port for TLS. Throws CLI_BAD_SETTING. */
export function refuseUnusedTls(config: EffectiveConfig): void {
  const key = tlsSetting(config, 'cache');
  if (key === undefined) return;
  throw badSetting(
    config,
    key,
    'is set, but there is no port for TLS',
    'give one with --tls-port PORT, or remove cache.tls-certificate and cache.tls-key',
  );
}

/** The certificate and the key of a server; undefined where neither is set. Throws CLI_BAD_SETTING. */
export async function serverTls(config: EffectiveConfig): Promise<TlsFiles | undefined> {
  return tlsSetting(config, 'http') === undefined ? undefined : tlsFiles(config, 'http');
}

/** The certificate and its key from the settings. Throws CLI_BAD_SETTING. */
export async function tlsFiles(config: EffectiveConfig, server: TlsServer): Promise<TlsFiles> {
  const names = { certificate: `${server}.tls-certificate`, key: `${server}.tls-key` };
  const bad = (key: string, problem: string, cause?: unknown) =>
    badSetting(config, key, problem, 'give a PEM file that this user can read', cause);
  const read = async (key: string, other: string) => {
    const path = config.text(key);
    if (path === '')
      throw bad(
        key,
        server === 'cache' ? 'is empty, and --tls-port needs it' : `is empty, and ${other} is set`,
      );
    return readFile(resolve(config.folder, path), 'utf8').catch((error: unknown) => {
      throw bad(key, `is ${path}, which cannot be read`, error);
    });
  };
  const files = {
    cert: await read(names.certificate, names.key),
    key: await read(names.key, names.certificate),
  };
  const usable = <Result>(key: string, what: string, use: () => Result) => {
    try {
      return use();
    } catch (error) {
      throw bad(key, `is ${config.text(key)}, which holds no ${what}`, error);
    }
  };
  const certificate = usable(names.certificate, 'certificate', () => new X509Certificate(files.cert));
  usable(names.key, 'key for that certificate', () => createSecureContext(files));
  return { ...files, certificate };
}
