import { timingSafeEqual } from 'node:crypto';
import { type Clock, failure, systemClock } from '../kernel/index.ts';
import { httpErrors } from './errors.ts';
import type { Caller, Scope, TokenScope } from './route.ts';
import { type TokenBook, tokenHash } from './token-book.ts';
import { WrongTokens } from './token-throttle.ts';

export interface Tokens {
  readonly read?: readonly string[];
  readonly admin?: readonly string[];
  /** They open what holds every object of a server, and nothing else. */
  readonly collect?: readonly string[];
  /** Sent by commands of this machine; may do everything. */
  readonly control?: string;
  /** Tokens with names, which are added and removed while the server runs. */
  readonly book?: TokenBook;
}

export const tokenPattern = /^[\x21-\x7e]{8,512}$/;

/** The name of a caller with the control door's token. */
export const controlCaller = 'command line';

interface Known {
  readonly hash: Buffer;
  readonly caller: Caller;
}

/** The token of an `Authorization: Bearer` header (RFC 6750), or undefined. */
function bearer(authorization: string | undefined): string | undefined {
  return /^Bearer +([\x21-\x7e]{1,512})$/i.exec(authorization ?? '')?.[1];
}

/** Whether a caller with these scopes reaches one: `admin` reaches all, `write` includes `read`. */
export function reaches(scopes: readonly TokenScope[], needed: Scope): boolean {
  if (needed === 'public' || scopes.includes('admin') || scopes.includes(needed)) return true;
  return needed === 'read' && scopes.includes('write');
}

/** The rights of each token. Only hashes of the tokens stay in memory, and every comparison takes the same time. */
export class TokenTable {
  readonly #known: readonly Known[];
  readonly #book: TokenBook | undefined;
  readonly #requireToken: boolean;
  readonly #wrong: WrongTokens;

  constructor(tokens: Tokens = {}, requireToken = false, clock: Clock = systemClock) {
    this.#wrong = new WrongTokens(clock);
    const { read = [], admin = [], collect = [], control, book } = tokens;
    for (const token of [...read, ...admin])
      if (!tokenPattern.test(token))
        throw new TypeError('a token has 8 to 512 printable characters and no space');
    const known = (token: string, name: string, scopes: readonly TokenScope[]): Known => ({
      hash: tokenHash(token),
      caller: { name, scopes },
    });
    this.#known = [
      ...admin.map((token, at) => known(token, `http.admin-tokens ${at + 1}`, ['admin'])),
      // With require-token a reader's token opens sessions too.
      ...read.map((token, at) =>
        known(token, `http.read-tokens ${at + 1}`, requireToken ? ['read', 'collect'] : ['read']),
      ),
      ...collect.map((token, at) => known(token, `wire.tokens ${at + 1}`, ['collect'])),
      ...(control === undefined ? [] : [known(control, controlCaller, ['admin'])]),
    ];
    this.#book = book;
    this.#requireToken = requireToken;
  }

  /** The caller with this token; undefined, after a wait, for a wrong one. `client`: see `clientOf`. Throws HTTP_GUESSING. */
  callerOf(token: string, client = ''): Promise<Caller | undefined> {
    return this.judge(token, client, () => this.callerWith(tokenHash(token)));
  }

  /** The same for any other use of a token; `look` returns undefined for a wrong one. Throws HTTP_GUESSING. */
  async judge<Found>(
    token: string,
    client: string,
    look: () => Found | undefined,
  ): Promise<Found | undefined> {
    const hasWaited = await this.#wrong.admit(token, client);
    const found = look();
    if (found === undefined && !hasWaited) await this.#wrong.answered(client);
    return found;
  }

  /** The caller whose token has this hash; undefined for a hash that is unknown or has expired. */
  callerWith(presented: Buffer): Caller | undefined {
    let caller: Caller | undefined;
    // Compared with every known one, found or not, so that the time reveals nothing.
    for (const known of this.#known)
      if (timingSafeEqual(known.hash, presented)) caller = caller ?? known.caller;
    return this.#book?.callerOf(presented) ?? caller;
  }

  /** The caller with this Authorization header, if its token is known: for the record, it is not judged. */
  presented(authorization: string | undefined): Caller | undefined {
    const token = bearer(authorization);
    return token === undefined ? undefined : this.callerWith(tokenHash(token));
  }

  /**
   * The caller of this Authorization header; undefined on an open path. Throws HTTP_TOKEN_NEEDED (no token or
   * an unknown one), HTTP_FORBIDDEN (a known token of too small a scope) or HTTP_GUESSING.
   */
  async check(scope: Scope, authorization: string | undefined, client = ''): Promise<Caller | undefined> {
    const needed = scope === 'public' && this.#requireToken ? 'read' : scope;
    return needed === 'public' ? undefined : this.callerFor(needed, authorization, client);
  }

  /** The caller of this Authorization header, which must reach the scope. Throws as `check` does. */
  async callerFor(scope: TokenScope, authorization: string | undefined, client = ''): Promise<Caller> {
    const token = bearer(authorization);
    const caller = token === undefined ? undefined : await this.callerOf(token, client);
    if (caller === undefined) throw failure(httpErrors.HTTP_TOKEN_NEEDED, { scope });
    if (!reaches(caller.scopes, scope)) throw failure(httpErrors.HTTP_FORBIDDEN, { scope });
    return caller;
  }
}
