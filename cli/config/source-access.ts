import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type SourceAddress, sourceAddress } from '../../broker/index.ts';
import { GarnerError, parseSize } from '../../kernel/index.ts';
import { badSetting } from './bad-setting.ts';
import type { EffectiveConfig } from './config.ts';
import type { Mistakes } from './config-errors.ts';

/** How a Broker shows itself to a source, whom it trusts to be that source, and how much it takes from it. */
type SourceAccess = Pick<SourceAddress, 'token' | 'authority' | 'maxObjects' | 'maxBytes'>;

type Environment = Readonly<Record<string, string | undefined>>;

const options = ['source', 'token', 'token-env', 'ca', 'max-objects', 'max-bytes'];

/**
 * The tables of `broker.source-access`, by the address of the source. Throws CLI_BAD_SETTING; `env` holds the tokens that
 * are named by `token-env`. With `unread`, neither variables nor files are read.
 */
export function sourceAccess(
  config: EffectiveConfig,
  env: Environment | 'unread' = process.env,
): ReadonlyMap<string, SourceAccess> {
  const access = new Map<string, SourceAccess>();
  for (const [at, table] of config.records('broker.source-access').entries()) {
    const key = `broker.source-access[${at}]`;
    const bad = (name: string, problem: string, cure: string, cause?: unknown) =>
      badSetting(config, `${key}${name}`, problem, cure, cause);
    for (const name of Object.keys(table))
      if (!options.includes(name))
        throw bad(`.${name}`, 'is not an option of a source', `write one of ${options.join(', ')}`);
    const url = addressOf(table.source);
    if (url === undefined)
      throw bad('.source', 'is not the address of a source', 'write it as in broker.collect');
    if (access.has(url)) throw bad('', 'names a source a second time', 'keep one of the two');
    const authority = authorityOf(table.ca, (problem, cause) =>
      bad('.ca', problem, 'give the PEM file of the certificate of the authority', cause),
    );
    const token = tokenOf(table, env, (name, problem) =>
      bad(name, problem, 'give token, or token-env with the name of a variable that holds it'),
    );
    const [objects, bytes] = [table['max-objects'], table['max-bytes']];
    const maxObjects = /^\d{1,10}$/.test(String(objects)) ? Number(objects) : undefined;
    const maxBytes = parseSize(String(bytes));
    if (objects !== undefined && maxObjects === undefined)
      throw bad('.max-objects', 'is not a number of objects', 'write a whole number, or 0 for no limit');
    if (bytes !== undefined && maxBytes === undefined)
      throw bad('.max-bytes', 'is not a size', 'write a size, such as 512, 64KiB or 10MB');
    access.set(url, {
      ...(token !== undefined && { token }),
      ...(authority && { authority }),
      ...(maxObjects !== undefined && { maxObjects }),
      ...(maxBytes !== undefined && { maxBytes }),
    });
  }
  return access;

  function authorityOf(
    file: unknown,
    wrong: (problem: string, cause?: unknown) => GarnerError,
  ): string | undefined {
    if (file === undefined) return undefined;
    if (typeof file !== 'string' || file === '') throw wrong('is not the name of a file');
    if (env === 'unread') return undefined;
    try {
      const pem = readFileSync(resolve(config.folder, file), 'utf8');
      new X509Certificate(pem);
      return pem;
    } catch (error) {
      throw wrong(`is ${file.slice(0, 200)}, which cannot be read as a certificate`, error);
    }
  }
}

/** Note the first mistake in the tables; what they name need not be on this machine. */
export function checkSourceAccess(config: EffectiveConfig, mistakes: Mistakes): void {
  try {
    sourceAccess(config, 'unread');
  } catch (error) {
    if (!(error instanceof GarnerError)) throw error;
    mistakes.note(error);
  }
}

function tokenOf(
  { token, 'token-env': variable }: Readonly<Record<string, unknown>>,
  env: Environment | 'unread',
  wrong: (name: string, problem: string) => GarnerError,
): string | undefined {
  if (token !== undefined && variable !== undefined) throw wrong('', 'has both token and token-env');
  if (variable !== undefined) {
    if (env === 'unread') return undefined;
    const found = typeof variable === 'string' ? env[variable] : undefined;
    if (!found) throw wrong('.token-env', 'names a variable that is not set');
    return found;
  }
  if (token !== undefined && (typeof token !== 'string' || token === '' || /\s/.test(token)))
    throw wrong('.token', 'is not a token');
  return token;
}

function addressOf(value: unknown): string | undefined {
  try {
    return typeof value === 'string' ? sourceAddress(value) : undefined;
  } catch {
    return undefined;
  }
}
