import { QueryRules } from './query-rules.ts';

/**
 * What an operator says of responses whose URL matches; the first rule that matches counts. What a response says of itself
 * goes before all but `maxSeconds` and `overrideSeconds`.
 */
export interface TtlRule {
  /** Tried on the effective request URI. */
  readonly pattern: RegExp;
  /** The lifetime of a response that says nothing of its own and has no date to guess by. */
  readonly defaultSeconds?: number;
  /** The least and the most that a guessed lifetime may be; `maxSeconds` also bounds those that are said. */
  readonly minSeconds?: number;
  readonly maxSeconds?: number;
  /** The lifetime whatever the response says, `no-store` and `private` excepted: against RFC 9111, by the operator's will. */
  readonly overrideSeconds?: number;
}

/**
 * Which responses with Set-Cookie are kept for others, cookie and all (RFC 9111 7.3 leaves it to the origin): those that say
 * that they are fresh, or those that say that they are for everybody (public, s-maxage, a targeted field), or none.
 * `strip`: all that may be kept otherwise, without the cookie.
 */
export type SharedCookies = 'explicit' | 'public' | 'never' | 'strip';

/** Whether clients of an accelerator get something newer than what is stored when they ask for it. */
export type ClientReload = 'obey' | 'ignore';

/** What the rules leave open, for an operator to choose. */
export interface CachePolicy {
  /** Part of the time since Last-Modified for which a response without explicit freshness is taken as fresh. */
  readonly heuristicFraction: number;
  readonly heuristicMaxSeconds: number;
  /** How long an error without freshness of its own is kept (0: not), for these statuses. */
  readonly negativeSeconds: number;
  readonly negativeStatuses: ReadonlySet<number>;
  readonly ttlRules: readonly TtlRule[];
  /** How long after it went stale a response may answer when the origin cannot, if neither side says otherwise. */
  readonly staleIfErrorSeconds: number;
  /** No response is fresh for longer, whatever it says. */
  readonly maxFreshSeconds: number;
  /**
   * Targeted fields (RFC 9213) in lower case, the one that counts most first. A forward proxy listens to none: it does not
   * work for the origin.
   */
  readonly targetedFields: readonly string[];
  readonly sharedCookies: SharedCookies;
  readonly clientReload: ClientReload;
  /** What of a query tells responses apart. */
  readonly queries: QueryRules;
}

export const defaultPolicy: CachePolicy = {
  heuristicFraction: 0.1,
  heuristicMaxSeconds: 86_400,
  negativeSeconds: 0,
  negativeStatuses: new Set([404, 405, 410, 414, 501]),
  ttlRules: [],
  staleIfErrorSeconds: 86_400,
  maxFreshSeconds: 366 * 86_400,
  targetedFields: ['cdn-cache-control'],
  sharedCookies: 'explicit',
  clientReload: 'obey',
  queries: new QueryRules(),
};
