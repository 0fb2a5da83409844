import { type Directives, parseDirectives } from './fields/directives.ts';
import { Fields } from './fields/fields.ts';
import { datedOf, type Freshness, initialAgeMs, lifetimeOf } from './freshness.ts';
import type { CachePolicy } from './policy.ts';
import type { RuleName } from './rule-names.ts';
import type { StoredHead } from './stored-head.ts';
import { responseControl } from './targeted.ts';

/** How a stored response may answer a request. */
export interface Reuse {
  /** 'stale-allowed' is by the request's max-stale; 'validate' is the only one that may not answer by itself. */
  readonly kind: 'fresh' | 'stale-while-revalidate' | 'stale-allowed' | 'validate';
  readonly rule: RuleName;
  /** Whole seconds, for Age. */
  readonly ageSeconds: number;
  /** Whole seconds of freshness left; 0 or less when stale. */
  readonly ttlSeconds: number;
}

/** What a head says, worked out once: a hit costs no parsing. */
interface Reading {
  readonly policy: CachePolicy;
  readonly freshness: Freshness;
  /** The instant at which its age was 0. */
  readonly bornAtMs: number;
  readonly noCache: boolean;
  readonly forbidsStale: boolean;
  /** s-maxage forbids what is stale too (RFC 9111 5.2.2.10), but a window that the same response grants is meant. */
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
 * Whether a stored response may answer a request, by itself or after validation (RFC 9111 4, 4.2.4, 5.2; RFC 5861 3).
 * That its selecting fields match is for the caller to know.
 */
export function reuse(question: {
  readonly requestFields: Fields;
  readonly head: StoredHead;
  readonly invalidated: boolean;
  /** It was softly purged then: stale from that moment on, with the windows that a stale response has. */
  readonly staleSinceMs?: number | undefined;
  readonly nowMs: number;
  readonly policy: CachePolicy;
  /** Another cache asks: it adds its own stale-while-revalidate, so ours is not for it. */
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
  const asked = requestDirectives(requestFields);
  const objection = asked === undefined ? undefined : objectionOf(asked, ageSeconds, ttlSeconds);
  if (objection !== undefined) return decide('validate', objection);
  if (asked === undefined && saysPragma(requestFields)) return decide('validate', 'request-pragma');
  if (ttlSeconds > 0) return decide('fresh', 'fresh');
  const stale = (rule: RuleName) => decide('validate', ownTtlSeconds > 0 ? 'softly-purged' : rule);
  if (reading.forbidsStale) return stale('must-revalidate');
  const inWindow = -ttlSeconds <= reading.staleWhileRevalidate && reading.staleWhileRevalidate > 0;
  if (inWindow && !fromCache) return decide('stale-while-revalidate', 'stale-while-revalidate');
  if (reading.forbidsStaleBeyondWindows) return stale('must-revalidate');
  if (asked !== undefined && acceptsStale(asked, -ttlSeconds))
    return decide('stale-allowed', 'request-max-stale');
  return stale(inWindow ? 'stale-for-a-cache' : 'stale');
}

/** Clocks are corrected by seconds all the time; what came in later than this from now is of another reckoning. */
const correctedMs = 60_000;

/** Whether the clock was set back since a response came in, so that nobody knows how old it is. */
function isAheadOf(nowMs: number, { receivedAtMs }: StoredHead): boolean {
  return receivedAtMs > nowMs + correctedMs;
}

/** Whole seconds since a soft purge; below all numbers when there was none. */
function purgedSeconds(staleSinceMs: number | undefined, nowMs: number): number {
  if (staleSinceMs === undefined) return Number.NEGATIVE_INFINITY;
  return Math.max(0, Math.floor((nowMs - staleSinceMs) / 1000));
}

// RFC 5861 4.
const errorStatuses = new Set([500, 502, 503, 504]);

/**
 * Whether a stored response that needs validation may answer when the origin cannot be asked or answers with a server
 * error, and by which rule (RFC 9111 4.2.4, 4.3.3; RFC 5861 4). Undefined: it may not. A request's stale-if-error goes
 * before the response's, and that before the policy's.
 */
export function mayServeStaleOnError(question: {
  readonly requestFields: Fields;
  readonly head: StoredHead;
  readonly invalidated?: boolean;
  readonly staleSinceMs?: number | undefined;
  readonly nowMs: number;
  readonly policy: CachePolicy;
  /** What the origin answered; absent when it did not. */
  readonly status?: number | undefined;
}): RuleName | undefined {
  const { requestFields, head, nowMs, policy, status } = question;
  if (status !== undefined && !errorStatuses.has(status)) return undefined;
  // An error that was stored is no better than the one that just came.
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
  const asked = requestDirectives(requestFields);
  if (asked === undefined && saysPragma(requestFields)) return undefined;
  const wished = whole(asked?.seconds('stale-if-error'));
  if (
    wished === undefined &&
    asked !== undefined &&
    objectionOf(asked, ageSeconds, -staleness) !== undefined
  ) {
    return undefined;
  }
  const said = wished ?? reading.staleIfError;
  if (said !== undefined) return staleness <= said ? 'stale-if-error' : undefined;
  return staleness <= policy.staleIfErrorSeconds ? 'disconnected' : undefined;
}

/** Whether the client wants an answer from what is stored or none: 504 (RFC 9111 5.2.1.7). */
export function onlyIfCached(fields: Fields): boolean {
  return requestDirectives(fields)?.has('only-if-cached') ?? false;
}

function ageAt(reading: Reading, head: StoredHead, nowMs: number): number {
  // A clock that was set back makes nothing younger than it came in.
  return Math.floor((Math.max(nowMs, head.receivedAtMs) - reading.bornAtMs) / 1000);
}

function requestDirectives(fields: Fields): Directives | undefined {
  const lines = fields.lines('cache-control');
  return lines.length === 0 ? undefined : parseDirectives(lines);
}

// RFC 9111 5.4: for clients of HTTP/1.0; Cache-Control makes it void.
function saysPragma(fields: Fields): boolean {
  return fields.lines('pragma').some((line) => parseDirectives([line]).has('no-cache'));
}

/** The request's directive that a stored response does not satisfy. */
function objectionOf(asked: Directives, ageSeconds: number, ttlSeconds: number): RuleName | undefined {
  if (asked.has('no-cache')) return 'request-no-cache';
  const maxAge = whole(asked.seconds('max-age'));
  // 0 asks for validation, also within the first second.
  if (maxAge !== undefined && (ageSeconds > maxAge || maxAge === 0)) return 'request-max-age';
  const minFresh = asked.seconds('min-fresh');
  if (minFresh === undefined) return undefined;
  return minFresh === 'invalid' || ttlSeconds < minFresh ? 'request-min-fresh' : undefined;
}

function acceptsStale(asked: Directives, staleness: number): boolean {
  if (asked.isBare('max-stale')) return true;
  const seconds = asked.seconds('max-stale');
  return typeof seconds === 'number' && staleness <= seconds;
}
