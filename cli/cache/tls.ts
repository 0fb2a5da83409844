import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { failure } from '../../kernel/index.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { cliErrors } from '../config/errors.ts';

/** With what clients are answered over TLS, in PEM. */
export interface TlsFiles {
  readonly key: string;
  readonly cert: string;
  /** The first certificate of the file: the one that clients look at. */
  readonly certificate: X509Certificate;
}

/** The setting of a certificate or key; undefined where neither is set. */
export const tlsSetting = (config: EffectiveConfig): string | undefined =>
  ['cache.tls-certificate', 'cache.tls-key'].find((key) => config.text(key) !== '');

/** What is wrong where no port speaks TLS and a certificate is set all the same. Throws CLI_BAD_SETTING. */
export function refuseUnusedTls(config: EffectiveConfig): void {
  const key = tlsSetting(config);
  if (key === undefined) return;
  throw failure(cliErrors.CLI_BAD_SETTING, {
    ...{ key, at: config.origin(key), problem: 'is set, and no port is given for TLS' },
    cure: 'give one with --tls-port PORT, or leave out cache.tls-certificate and cache.tls-key',
  });
}

/** Certificate and key of the settings, of which the one belongs to the other. Throws CLI_BAD_SETTING. */
export async function tlsFiles(config: EffectiveConfig): Promise<TlsFiles> {
  const bad = (key: string, problem: string, cause?: unknown) =>
    failure(
      cliErrors.CLI_BAD_SETTING,
      { key, at: config.origin(key), problem, cure: 'name a file in PEM that this user may read' },
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
      `is ${config.text('cache.tls-key')}, which holds no key of that certificate`,
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
