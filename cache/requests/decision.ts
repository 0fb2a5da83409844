import type { CacheStatus, Forwarded, RuleName } from '../rules/index.ts';

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
  readonly forwarded?: Forwarded | undefined;
  /** The upstream's status. */
  readonly forwardedStatus?: number | undefined;
  /** Seconds left of its freshness, negative when stale. */
  readonly ttlSeconds?: number | undefined;
  readonly stored?: boolean | undefined;
  /** The rule that stored it or refused to. */
  readonly storedBy?: RuleName | undefined;
  readonly collapsed?: boolean | undefined;
  /** Who answered when it was a peer, and what made it the choice. */
  readonly detail?: string | undefined;
  /** Where the content broke off that had begun: after so many bytes, of so many when that was said. */
  readonly brokenOff?: { readonly bytes: number; readonly of: number | undefined } | undefined;
  /** What went wrong, by the code of the error and in its sentence; for the operator, not for the client. */
  readonly error?: { readonly code: string; readonly reason: string } | undefined;
}

/** What RFC 9211 lets a cache say of a decision. */
export function cacheStatusOf(decision: Decision): CacheStatus {
  const { outcome, forwarded, forwardedStatus, ttlSeconds, stored, collapsed, detail } = decision;
  return {
    hit: outcome === 'hit' || outcome === 'stale-hit',
    fwd: forwarded,
    fwdStatus: forwardedStatus,
    ttl: ttlSeconds,
    stored,
    collapsed,
    detail,
  };
}
