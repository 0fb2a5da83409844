import type { CacheStatus, Forwarded, RuleName } from '../rules/index.ts';

/** The action of the cache on one request, and its rule; the base of Cache-Status, `why`, counters and logs. */
export interface Decision {
  /** The result for the client. */
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
  readonly rule: RuleName;
  readonly forwarded?: Forwarded | undefined;
  /** The upstream's status. */
  readonly forwardedStatus?: number | undefined;
  /** Seconds of freshness left, negative when stale. */
  readonly ttlSeconds?: number | undefined;
  readonly stored?: boolean | undefined;
  readonly storedBy?: RuleName | undefined;
  readonly collapsed?: boolean | undefined;
  /** For an answer of a peer: the reason why it was chosen. */
  readonly detail?: string | undefined;
  /** Set when the content broke off: after `bytes` bytes, of `of` bytes when the length was known. */
  readonly brokenOff?: { readonly bytes: number; readonly of: number | undefined } | undefined;
  /** Code and message of the error; for the operator, not for the client. */
  readonly error?: { readonly code: string; readonly reason: string } | undefined;
}

/** The parts of a decision that Cache-Status states (RFC 9211). */
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
