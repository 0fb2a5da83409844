import { createHash, timingSafeEqual } from 'node:crypto';
import { failure } from '../kernel/index.ts';
import { httpErrors } from './errors.ts';
import type { Scope } from './route.ts';

/** The tokens a server knows. An admin token may also read. */
export interface Tokens {
  readonly read?: readonly string[];
  readonly admin?: readonly string[];
}

const hash = (text: string) => createHash('sha256').update(text).digest();

/** Who may do what. Only hashes of the tokens stay in memory, and every comparison takes the same time. */
export class TokenTable {
  readonly #read: readonly Buffer[];
  readonly #admin: readonly Buffer[];
  readonly #requireToken: boolean;

  constructor(tokens: Tokens = {}, requireToken = false) {
    for (const token of [...(tokens.read ?? []), ...(tokens.admin ?? [])])
      if (!/^[\x21-\x7e]{8,512}$/.test(token))
        throw new TypeError('a token has 8 to 512 printable characters and no space');
    this.#read = (tokens.read ?? []).map(hash);
    this.#admin = (tokens.admin ?? []).map(hash);
    this.#requireToken = requireToken;
  }

  /**
   * Let a caller with this Authorization header pass, or throw HTTP_TOKEN_NEEDED (no token or an unknown one) or
   * HTTP_FORBIDDEN (a known token of too small a scope).
   */
  check(scope: Scope, authorization: string | undefined): void {
    const needed = scope === 'public' && this.#requireToken ? 'read' : scope;
    if (needed === 'public') return;
    const token = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) throw failure(httpErrors.HTTP_TOKEN_NEEDED, { scope: needed });
    const presented = hash(token);
    const isAdmin = holds(this.#admin, presented);
    const mayRead = holds(this.#read, presented) || isAdmin;
    if (!mayRead) throw failure(httpErrors.HTTP_TOKEN_NEEDED, { scope: needed });
    if (needed === 'admin' && !isAdmin) throw failure(httpErrors.HTTP_FORBIDDEN, { scope: needed });
  }
}

/** Compares with every known hash, found or not, so that time tells nothing. */
function holds(known: readonly Buffer[], presented: Buffer): boolean {
  let found = false;
  for (const one of known) if (timingSafeEqual(one, presented)) found = true;
  return found;
}
