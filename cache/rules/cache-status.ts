/** Why a request was forwarded (RFC 9211 2.2). */
export type Forwarded =
  | 'bypass'
  | 'method'
  | 'uri-miss'
  | 'vary-miss'
  | 'miss'
  | 'request'
  | 'stale'
  | 'partial';

/** How a cache handled a request (RFC 9211 2). Without `hit` there is `fwd`. */
export interface CacheStatus {
  readonly hit?: boolean | undefined;
  readonly fwd?: Forwarded | undefined;
  readonly fwdStatus?: number | undefined;
  /** Seconds of freshness left; below zero when stale. */
  readonly ttl?: number | undefined;
  readonly stored?: boolean | undefined;
  readonly collapsed?: boolean | undefined;
  readonly key?: string | undefined;
  readonly detail?: string | undefined;
}

/** A longer key or detail is left out: half of one would be misleading. */
const maxTextLength = 2048;

/** The member that a cache of this name adds to Cache-Status, after those of the caches before it (RFC 9211 2). */
export function cacheStatus(name: string, status: CacheStatus): string {
  let member = item(name);
  if (status.hit === true) member += '; hit';
  else if (status.fwd !== undefined) member += `; fwd=${status.fwd}`;
  if (status.fwdStatus !== undefined) member += `; fwd-status=${Math.trunc(status.fwdStatus)}`;
  if (status.ttl !== undefined) member += `; ttl=${integer(status.ttl)}`;
  if (status.stored === true) member += '; stored';
  if (status.collapsed === true) member += '; collapsed';
  if (status.key !== undefined && status.key.length <= maxTextLength) member += `; key=${quoted(status.key)}`;
  if (status.detail !== undefined && status.detail.length <= maxTextLength) {
    member += `; detail=${item(status.detail)}`;
  }
  return member;
}

// RFC 8941 3.3.4: a text that begins with a letter and has only token characters needs no quotes.
function item(text: string): string {
  return /^[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*$/.test(text) ? text : quoted(text);
}

// RFC 8941 3.3.3: visible ASCII and spaces, two of them escaped.
function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}

// RFC 8941 3.3.1: max fifteen digits.
function integer(value: number): number {
  const max = 999_999_999_999_999;
  return Math.max(-max, Math.min(max, Math.trunc(value)));
}
