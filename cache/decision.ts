import type { CacheStatus, Forwarded, RuleName } from './rules/index.ts';

/** What the cache did with one request, and by which rule; Cache-Status, `why`, counters and logs are made of it. */
export interface Decision {
  /** What the client got. */
  readonly outcome:
    | 'hit'
    | 'stale-hit'
    | 'validated'
    | 'stale-on-error'
    | 'collapsed'
    | 'miss'
    | 'pass'
    | 'refused'
    | 'failed';
  /** The rule that allowed or demanded it. */
  readonly rule: RuleName;
  readonly forwarded?: Forwarded;
  /** The upstream's status. */
  readonly forwardedStatus?: number;
  /** Seconds left of its freshness, negative when stale. */
  readonly ttlSeconds?: number;
  readonly stored?: boolean;
  /** The rule that stored it or refused to. */
  readonly storedBy?: RuleName;
  readonly collapsed?: boolean;
  /** Who answered when it was a peer, and what made it the choice. */
  readonly detail?: string;
}

/** What RFC 9211 lets a cache say of a decision. */
export function cacheStatusOf(decision: Decision): CacheStatus {
  const { outcome, forwarded, forwardedStatus, ttlSeconds, stored, collapsed, detail } = decision;
  return {
    hit: outcome === 'hit' || outcome === 'stale-hit',
    ...(forwarded !== undefined && { fwd: forwarded }),
    ...(forwardedStatus !== undefined && { fwdStatus: forwardedStatus }),
    ...(ttlSeconds !== undefined && { ttl: ttlSeconds }),
    ...(stored !== undefined && { stored }),
    ...(collapsed !== undefined && { collapsed }),
    ...(detail !== undefined && { detail }),
  };
}
