import { type Directives, parseDirectives } from './fields/directives.ts';
import { Fields } from './fields/fields.ts';
import { datedOf, type Freshness, initialAgeMs, lifetimeOf } from './freshness.ts';
import type { CachePolicy } from './policy.ts';
import type { RuleName } from './rule-names.ts';
import type { StoredHead } from './stored-head.ts';
import { responseControl } from './targeted.ts';

/** How a stored response may answer a request. */
export interface Reuse {
  /** 'stale-allowed': by the request's max-stale. 'validate': the stored response may not answer by itself. */
  readonly kind: 'fresh' | 'stale-while-revalidate' | 'stale-allowed' | 'validate';
  readonly rule: RuleName;
  /** Whole seconds, for Age. */
  readonly ageSeconds: number;
  /** Whole seconds of freshness left; 0 or less when stale. */
  readonly ttlSeconds: number;
}

/** The evaluated head, computed once: a hit costs no parsing. */
interface Reading {
  readonly policy: CachePolicy;
  readonly freshness: Freshness;
  /** The instant at which its age was 0. */
  readonly bornAtMs: number;
  readonly noCache: boolean;
  readonly forbidsStale: boolean;
  /** s-maxage forbids stale answers too (RFC 9111 5.2.2.10), but not within a window that the same response grants. */
  readonly forbidsStaleBeyondWindows: boolean;
  readonly staleWhileRevalidate: number;
  readonly staleIfError: number | undefined;
}

const readings = new WeakMap<StoredHead, Reading>();

function readingOf(head: StoredHead, policy: CachePolicy): Reading {
  const known = readings.get(head);
  if (known?.policy === policy) return known;
  const fields = new Fields(head.fields);
  const control = responseControl(fields, policy.targetedFields);
  const { directives } = control;
  const reading: Reading = {
    policy,
    freshness: lifetimeOf(datedOf(head, fields), control, policy),
    bornAtMs: head.receivedAtMs - initialAgeMs(head, fields),
    noCache: directives.has('no-cache') && directives.fieldNames('no-cache') === undefined,
    forbidsStale: directives.has('must-revalidate') || directives.has('proxy-revalidate'),
    forbidsStaleBeyondWindows: directives.has('s-maxage'),
    staleWhileRevalidate: whole(directives.seconds('stale-while-revalidate')) ?? 0,
    staleIfError: whole(directives.seconds('stale-if-error')),
  };
  readings.set(head, reading);
  return reading;
}

function whole(seconds: number | 'invalid' | undefined): number | undefined {
  return seconds === 'invalid' ? 0 : seconds;
}

/**
 * Whether a stored response may answer a request, by itself or after validation (RFC 9111 4, 4.2.4, 5.2; RFC
 * 5861 3). The caller has checked that its selecting fields match.
 */
export function reuse(question: {
  readonly requestFields: Fields;
  readonly head: StoredHead;
  readonly invalidated: boolean;
  /** Time of a soft purge: the response is stale from then on, with the usual windows of a stale response. */
  readonly staleSinceMs?: number | undefined;
  readonly nowMs: number;
  readonly policy: CachePolicy;
  /** Another cache sent the request: it adds its own stale-while-revalidate, so it gets none from us. */
  readonly fromCache: boolean;
}): Reuse {
  const { requestFields, head, nowMs, policy, fromCache } = question;
  const reading = readingOf(head, policy);
  const ageSeconds = ageAt(reading, head, nowMs);
  const ownTtlSeconds = reading.freshness.lifetimeSeconds - ageSeconds;
  const ttlSeconds = Math.min(ownTtlSeconds, -purgedSeconds(question.staleSinceMs, nowMs));
  const decide = (kind: Reuse['kind'], rule: RuleName): Reuse => ({ kind, rule, ageSeconds, ttlSeconds });
  if (question.invalidated) return decide('validate', 'invalidated');
  if (isAheadOf(nowMs, head)) return decide('validate', 'clock-set-back');
  if (reading.noCache) return decide('validate', 'response-no-cache');
  const demands = requestDirectives(requestFields);
  const objection = demands === undefined ? undefined : objectionOf(demands, ageSeconds, ttlSeconds);
  if (objection !== undefined) return decide('validate', objection);
  if (demands === undefined && saysPragma(requestFields)) return decide('validate', 'request-pragma');
  if (ttlSeconds > 0) return decide('fresh', 'fresh');
  const stale = (rule: RuleName) => decide('validate', ownTtlSeconds > 0 ? 'softly-purged' : rule);
  if (reading.forbidsStale) return stale('must-revalidate');
  const inWindow = -ttlSeconds <= reading.staleWhileRevalidate && reading.staleWhileRevalidate > 0;
  if (inWindow && !fromCache) return decide('stale-while-revalidate', 'stale-while-revalidate');
  if (reading.forbidsStaleBeyondWindows) return stale('must-revalidate');
  if (demands !== undefined && acceptsStale(demands, -ttlSeconds))
    return decide('stale-allowed', 'request-max-stale');
  return stale(inWindow ? 'stale-for-a-cache' : 'stale');
}

/** Clocks are corrected by seconds; a receipt further ahead than this shows that the clock was set back. */
const correctedMs = 60_000;

/** Whether the clock was set back since the response was received, so that its age is unknown. */
function isAheadOf(nowMs: number, { receivedAtMs }: StoredHead): boolean {
  return receivedAtMs > nowMs + correctedMs;
}

/** Whole seconds since a soft purge; -Infinity when there was none. */
function purgedSeconds(staleSinceMs: number | undefined, nowMs: number): number {
  if (staleSinceMs === undefined) return Number.NEGATIVE_INFINITY;
  return Math.max(0, Math.floor((nowMs - staleSinceMs) / 1000));
}

// RFC 5861 4.
const errorStatuses = new Set([500, 502, 503, 504]);

/**
 * Whether a stored response that needs validation may answer when the origin cannot be reached or answers
 * with a server error, and by which rule (RFC 9111 4.2.4, 4.3.3; RFC 5861 4). Undefined: it may not. A
 * request's stale-if-error has priority over the response's, and that over the policy's.
 */
export function mayServeStaleOnError(question: {
  readonly requestFields: Fields;
  readonly head: StoredHead;
  readonly invalidated?: boolean;
  readonly staleSinceMs?: number | undefined;
  readonly nowMs: number;
  readonly policy: CachePolicy;
  /** The origin's status; absent when it did not answer. */
  readonly status?: number | undefined;
}): RuleName | undefined {
  const { requestFields, head, nowMs, policy, status } = question;
  if (status !== undefined && !errorStatuses.has(status)) return undefined;
  // A stored error is no better than the new one.
  if (head.status >= 500) return undefined;
  const reading = readingOf(head, policy);
  if (question.invalidated === true || reading.noCache || isAheadOf(nowMs, head)) return undefined;
  const ageSeconds = ageAt(reading, head, nowMs);
  const staleness = Math.max(
    ageSeconds - reading.freshness.lifetimeSeconds,
    purgedSeconds(question.staleSinceMs, nowMs),
  );
  if (staleness >= 0 && reading.forbidsStale) return undefined;
  if (staleness >= 0 && reading.forbidsStaleBeyondWindows && !(staleness <= (reading.staleIfError ?? -1)))
    return undefined;
  const demands = requestDirectives(requestFields);
  if (demands === undefined && saysPragma(requestFields)) return undefined;
  const wished = whole(demands?.seconds('stale-if-error'));
  if (
    wished === undefined &&
    demands !== undefined &&
    objectionOf(demands, ageSeconds, -staleness) !== undefined
  ) {
    return undefined;
  }
  const said = wished ?? reading.staleIfError;
  if (said !== undefined) return staleness <= said ? 'stale-if-error' : undefined;
  return staleness <= policy.staleIfErrorSeconds ? 'disconnected' : undefined;
}

/** Whether the client accepts only a stored response, or else 504 (RFC 9111 5.2.1.7). */
export function onlyIfCached(fields: Fields): boolean {
  return requestDirectives(fields)?.has('only-if-cached') ?? false;
}

function ageAt(reading: Reading, head: StoredHead, nowMs: number): number {
  // After the clock was set back a response is at least as old as when it was received.
  return Math.floor((Math.max(nowMs, head.receivedAtMs) - reading.bornAtMs) / 1000);
}

function requestDirectives(fields: Fields): Directives | undefined {
  const lines = fields.lines('cache-control');
  return lines.length === 0 ? undefined : parseDirectives(lines);
}

// RFC 9111 5.4: for clients of HTTP/1.0; ignored when there is a Cache-Control.
function saysPragma(fields: Fields): boolean {
  return fields.lines('pragma').some((line) => parseDirectives([line]).has('no-cache'));
}

/** The request directive that a stored response does not satisfy. */
function objectionOf(demands: Directives, ageSeconds: number, ttlSeconds: number): RuleName | undefined {
  if (demands.has('no-cache')) return 'request-no-cache';
  const maxAge = whole(demands.seconds('max-age'));
  // 0 demands validation, also within the first second.
  if (maxAge !== undefined && (ageSeconds > maxAge || maxAge === 0)) return 'request-max-age';
  const minFresh = demands.seconds('min-fresh');
  if (minFresh === undefined) return undefined;
  return minFresh === 'invalid' || ttlSeconds < minFresh ? 'request-min-fresh' : undefined;
}

function acceptsStale(demands: Directives, staleness: number): boolean {
  if (demands.isBare('max-stale')) return true;
  const seconds = demands.seconds('max-stale');
  return typeof seconds === 'number' && staleness <= seconds;
}
