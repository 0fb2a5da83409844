import { createHash, timingSafeEqual } from 'node:crypto';
import { type Clock, failure, isGarnerError, type Random, TaskQueue } from '../kernel/index.ts';
import { httpErrors } from './errors.ts';
import { type Caller, type TokenScope, tokenScopes } from './route.ts';

/** The record of a named token; the token itself is not stored. */
export interface TokenNote {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** Seconds since 1970; null for one that does not expire. */
  readonly expiresAt: number | null;
}

interface Row extends TokenNote {
  readonly hash: Buffer;
}

export interface TokenBookParts {
  readonly clock: Clock;
  readonly random: Random;
  /** Replaces a file by a text, durably: a removed token must not become valid again after a power cut. */
  readonly replace: (path: string, text: string) => Promise<void>;
  /** Reads it, undefined when there is none. */
  readonly read: (path: string) => Promise<string | undefined>;
}

/** The stored form of a token. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const maxTokens = 256;

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,63}$/u;

/** Tokens changed while a server runs, as hashes in a file that only the process with the folder uses. */
export class TokenBook {
  readonly #path: string;
  readonly #parts: TokenBookParts;
  #rows: readonly Row[];
  readonly #changes = new TaskQueue();

  private constructor(path: string, rows: readonly Row[], parts: TokenBookParts) {
    this.#path = path;
    this.#rows = rows;
    this.#parts = parts;
  }

  /** Read the book of this file, empty when absent. Throws HTTP_TOKEN_FILE: a damaged file gives no token. */
  static async open(path: string, parts: TokenBookParts): Promise<TokenBook> {
    let text: string | undefined;
    try {
      text = await parts.read(path);
    } catch (error) {
      const problem = isGarnerError(error) ? error.message : 'it cannot be read';
      throw failure(httpErrors.HTTP_TOKEN_FILE, { path, problem }, error);
    }
    return new TokenBook(path, text === undefined ? [] : rowsOf(text, path), parts);
  }

  /** Every token, expired ones too, in the order of their creation. */
  get notes(): readonly TokenNote[] {
    return this.#rows.map(({ hash: _, ...note }) => note);
  }

  /** The caller whose token has this hash; undefined for a hash that is unknown or has expired. */
  callerOf(hash: Buffer): Caller | undefined {
    const now = this.#parts.clock.now() / 1000;
    let caller: Caller | undefined;
    for (const { hash: known, name, scopes, expiresAt } of this.#rows)
      if (timingSafeEqual(known, hash) && (expiresAt === null || now < expiresAt)) caller = { name, scopes };
    return caller;
  }

  /** Make a token, which is returned here and never again. Throws HTTP_TOKEN_BAD, HTTP_TOKEN_TAKEN. */
  add(wanted: {
    readonly name: string;
    readonly scopes: readonly string[];
    readonly expiresAt?: number | null;
  }): Promise<TokenNote & { readonly token: string }> {
    return this.#changes.run(async () => {
      const { name, expiresAt = null } = wanted;
      const now = Math.floor(this.#parts.clock.now() / 1000);
      const bad = (problem: string) => failure(httpErrors.HTTP_TOKEN_BAD, { problem });
      if (!namePattern.test(name))
        throw bad(
          'the name has 1 to 64 letters, digits, spaces and . _ @ -, and begins with a letter or digit',
        );
      const scopes = tokenScopes.filter((scope) => wanted.scopes.includes(scope));
      const odd = wanted.scopes.find((scope) => !scopes.some((known) => known === scope));
      if (odd !== undefined || scopes.length === 0)
        throw bad(`the scopes are one or more of ${tokenScopes.join(', ')}`);
      if (expiresAt !== null && !(Number.isSafeInteger(expiresAt) && expiresAt > now))
        throw bad('the time at which it expires lies in the past');
      if (this.#rows.some((row) => row.name === name)) throw failure(httpErrors.HTTP_TOKEN_TAKEN, { name });
      if (this.#rows.length >= maxTokens) throw bad(`there are ${maxTokens} already`);
      // Scanners for leaked secrets know the prefix.
      const token = `garner_${Buffer.from(this.#parts.random.bytes(24)).toString('base64url')}`;
      const note: TokenNote = { name, scopes, createdAt: now, expiresAt };
      await this.#write([...this.#rows, { ...note, hash: tokenHash(token) }]);
      return { ...note, token };
    });
  }

  /** Invalidate a token. Throws HTTP_NO_TOKEN. */
  remove(name: string): Promise<TokenNote> {
    return this.#changes.run(async () => {
      const row = this.#rows.find((one) => one.name === name);
      if (row === undefined) throw failure(httpErrors.HTTP_NO_TOKEN, { name: name.slice(0, 64) });
      await this.#write(this.#rows.filter((one) => one !== row));
      const { hash: _, ...note } = row;
      return note;
    });
  }

  async #write(rows: readonly Row[]): Promise<void> {
    const tokens = rows.map(({ hash, ...note }) => ({ ...note, sha256: hash.toString('hex') }));
    await this.#parts.replace(this.#path, `${JSON.stringify({ tokens }, undefined, 2)}\n`);
    this.#rows = rows;
  }
}

function rowsOf(text: string, path: string): readonly Row[] {
  try {
    const { tokens } = JSON.parse(text) as { readonly tokens: readonly Record<string, unknown>[] };
    return tokens.map(({ name, scopes, createdAt, expiresAt, sha256 }): Row => {
      const hash = Buffer.from(String(sha256), 'hex');
      const known = tokenScopes.filter((scope) => (scopes as readonly unknown[]).includes(scope));
      const isTime = expiresAt === null || Number.isSafeInteger(expiresAt);
      if (typeof name !== 'string' || hash.length !== 32 || !isTime) throw new TypeError('a field is wrong');
      return {
        name,
        scopes: known,
        createdAt: Number(createdAt),
        expiresAt: expiresAt as number | null,
        hash,
      };
    });
  } catch (error) {
    throw failure(httpErrors.HTTP_TOKEN_FILE, { path, problem: 'it is damaged' }, error);
  }
}
