import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { failure } from '../../kernel/index.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { cliErrors } from '../config/errors.ts';

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
  throw failure(cliErrors.CLI_BAD_SETTING, {
    ...{ key, at: config.origin(key), problem: 'is set, but there is no port for TLS' },
    cure: 'give one with --tls-port PORT, or remove cache.tls-certificate and cache.tls-key',
  });
}

/** The certificate and its key from the settings. Throws CLI_BAD_SETTING. */
export async function tlsFiles(config: EffectiveConfig): Promise<TlsFiles> {
  const bad = (key: string, problem: string, cause?: unknown) =>
    failure(
      cliErrors.CLI_BAD_SETTING,
      { key, at: config.origin(key), problem, cure: 'give a PEM file that this user can read' },
      cause,
    );
  const read = async (key: string) => {
    const path = config.text(key);
    if (path === '') throw bad(key, 'is empty, and --tls-port needs it');
    return readFile(resolve(config.folder, path), 'utf8').catch((error: unknown) => {
      throw bad(key, `is ${path}, which cannot be read`, error);
    });
  };
  const files = { cert: await read('cache.tls-certificate'), key: await read('cache.tls-key') };
  const certificate = parsed(files.cert);
  if (certificate === undefined)
    throw bad(
      'cache.tls-certificate',
      `is ${config.text('cache.tls-certificate')}, which holds no certificate`,
    );
  try {
    createSecureContext(files);
  } catch (error) {
    throw bad(
      'cache.tls-key',
      `is ${config.text('cache.tls-key')}, which holds no key for that certificate`,
      error,
    );
  }
  return { ...files, certificate };
}

function parsed(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
