import { QueryRules } from './query-rules.ts';

/**
 * An operator's lifetimes for responses whose URL matches; the first rule that matches applies. What a
 * response states has priority over all but `maxSeconds` and `overrideSeconds`.
 */
export interface TtlRule {
  /** Matched against the effective request URI. */
  readonly pattern: RegExp;
  /** The lifetime of a response that states none and has no date for a heuristic. */
  readonly defaultSeconds?: number;
  /** The min and max of a heuristic lifetime; `maxSeconds` also bounds stated lifetimes. */
  readonly minSeconds?: number;
  readonly maxSeconds?: number;
  /** A lifetime regardless of the response, except with `no-store` and `private`: against RFC 9111. */
  readonly overrideSeconds?: number;
}

/**
 * Which responses with Set-Cookie are stored for other clients, including the cookie (RFC 9111 7.3 leaves it to the
 * origin): `explicit`, those that state freshness; `public`, those that state that they are for everybody (public,
 * s-maxage, a targeted field); `never`, none; `strip`, all otherwise storable ones, without the cookie.
 */
export type SharedCookies = 'explicit' | 'public' | 'never' | 'strip';

/** Whether clients of an accelerator get something newer than the stored response on request. */
export type ClientReload = 'obey' | 'ignore';

/** Decisions that the rules leave to the operator. */
export interface CachePolicy {
  /** The heuristic lifetime as a fraction of the time since Last-Modified. */
  readonly heuristicFraction: number;
  readonly heuristicMaxSeconds: number;
  /** How long an error without a stated lifetime is stored (0: not at all), for these statuses. */
  readonly negativeSeconds: number;
  readonly negativeStatuses: ReadonlySet<number>;
  readonly ttlRules: readonly TtlRule[];
  /** How long after it became stale a response may answer when the origin cannot, if neither side states otherwise. */
  readonly staleIfErrorSeconds: number;
  /** The max lifetime of any response, regardless of what it states. */
  readonly maxFreshSeconds: number;
  /** Targeted fields (RFC 9213) in lower case, by priority; none for a proxy, which serves clients. */
  readonly targetedFields: readonly string[];
  readonly sharedCookies: SharedCookies;
  readonly clientReload: ClientReload;
  /** The parts of a query that distinguish responses. */
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
