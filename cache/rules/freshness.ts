import { deltaSeconds } from './fields/directives.ts';
import { Fields, trimmed } from './fields/fields.ts';
import { parseHttpDate } from './fields/http-date.ts';
import type { CachePolicy, TtlRule } from './policy.ts';
import type { RuleName } from './rule-names.ts';
import type { StoredHead } from './stored-head.ts';
import { type ResponseControl, responseControl } from './targeted.ts';

/** How long a response is fresh, and by which rule. */
export interface Freshness {
  /** Whole seconds; 0 for a response that is stale from the start. */
  readonly lifetimeSeconds: number;
  readonly from:
    | 'cdn-cache-control'
    | 's-maxage'
    | 'max-age'
    | 'expires'
    | 'heuristic'
    | 'rule'
    | 'rule-min'
    | 'rule-max'
    | 'max-fresh'
    | 'negative'
    | 'none';
  readonly rule: RuleName;
  /** The lifetime without the setting that bounds it; absent where none does. */
  readonly otherwise?: Pick<Freshness, 'lifetimeSeconds' | 'from'>;
}

export interface Dated {
  readonly url: string;
  readonly status: number;
  readonly fields: Fields;
  readonly receivedAtMs: number;
}

// RFC 9110 15.1: cacheable by default, so that heuristics are permitted.
const heuristicStatuses = new Set([200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]);

/** Whether a response with this status may be stored without stating it (RFC 9110 15.1). */
export function isHeuristicallyCacheable(status: number): boolean {
  return heuristicStatuses.has(status);
}

/** The freshness lifetime of a stored response (RFC 9111 4.2.1, 4.2.2, RFC 9213) under a policy. */
export function freshnessOf(head: StoredHead, policy: CachePolicy): Freshness {
  const fields = new Fields(head.fields);
  return lifetimeOf(datedOf(head, fields), responseControl(fields, policy.targetedFields), policy);
}

/** The input of a lifetime. No spread: a spread copy would get its own hidden class each time. */
export const datedOf = ({ url, status, receivedAtMs }: StoredHead, fields: Fields): Dated => ({
  url,
  status,
  fields,
  receivedAtMs,
});

export function lifetimeOf(response: Dated, control: ResponseControl, policy: CachePolicy): Freshness {
  const rule = policy.ttlRules.find(({ pattern }) => matches(pattern, response.url));
  if (rule?.overrideSeconds !== undefined) return ruled(rule.overrideSeconds, policy);
  const stated = explicitLifetime(response, control);
  if (stated !== undefined) return atMost(stated, policy, rule?.maxSeconds);
  return guessedLifetime(response, control, policy, rule);
}

/** A freshness that the response states; undefined when it states none. */
function explicitLifetime(
  response: Dated,
  { directives, targetedBy }: ResponseControl,
): Freshness | undefined {
  for (const name of ['s-maxage', 'max-age'] as const) {
    const seconds = directives.seconds(name);
    if (seconds === undefined) continue;
    const from = targetedBy === undefined ? name : 'cdn-cache-control';
    if (seconds === 'invalid') return { lifetimeSeconds: 0, from, rule: 'invalid-freshness' };
    return { lifetimeSeconds: seconds, from, rule: targetedBy === undefined ? name : 'targeted-field' };
  }
  const lines = targetedBy === undefined ? response.fields.lines('expires') : [];
  const first = lines[0];
  if (first === undefined) return undefined;
  const expires = lines.every((line) => line === first) ? seconds(first, response) : undefined;
  if (expires === undefined) return { lifetimeSeconds: 0, from: 'expires', rule: 'invalid-freshness' };
  return { lifetimeSeconds: Math.max(0, expires - dateOf(response)), from: 'expires', rule: 'expires' };
}

function guessedLifetime(
  response: Dated,
  control: ResponseControl,
  policy: CachePolicy,
  rule: TtlRule | undefined,
): Freshness {
  const { status, fields } = response;
  const isPublic = control.directives.has('public');
  const modified = seconds(fields.lines('last-modified')[0], response);
  // A response that sets a cookie is more often made for one user than its sender states.
  const mayBeFresh = isPublic || isHeuristicallyCacheable(status);
  const mayGuess = isPublic || (mayBeFresh && !fields.has('set-cookie'));
  if (mayGuess && modified !== undefined) {
    const part = Math.floor((dateOf(response) - modified) * policy.heuristicFraction);
    const lifetimeSeconds = Math.max(0, Math.min(part, policy.heuristicMaxSeconds));
    const guess: Freshness = { lifetimeSeconds, from: 'heuristic', rule: 'heuristic' };
    const bounded = atMost(atLeast(guess, rule?.minSeconds ?? 0), policy, rule?.maxSeconds);
    if (bounded !== guess || lifetimeSeconds > 0) return bounded;
  }
  if (policy.negativeSeconds > 0 && policy.negativeStatuses.has(status)) {
    return { lifetimeSeconds: policy.negativeSeconds, from: 'negative', rule: 'negative' };
  }
  const fallback = rule?.defaultSeconds ?? rule?.minSeconds;
  if (mayGuess && fallback !== undefined) return ruled(fallback, policy);
  const isForCookie = mayBeFresh && !mayGuess && (modified ?? fallback) !== undefined;
  return { lifetimeSeconds: 0, from: 'none', rule: isForCookie ? 'cookie-not-guessed' : 'no-freshness' };
}

function ruled(lifetimeSeconds: number, policy: CachePolicy): Freshness {
  return atMost({ lifetimeSeconds, from: 'rule', rule: 'ttl-rule' }, policy);
}

function atLeast(one: Freshness, min: number): Freshness {
  if (one.lifetimeSeconds >= min) return one;
  return { lifetimeSeconds: min, from: 'rule-min', rule: 'ttl-rule', otherwise: one };
}

/** A freshness cut to the tighter of two settings, which it then names. */
function atMost(one: Freshness, policy: CachePolicy, maxRule = Number.POSITIVE_INFINITY): Freshness {
  const lifetimeSeconds = Math.min(maxRule, policy.maxFreshSeconds);
  if (one.lifetimeSeconds <= lifetimeSeconds) return one;
  return maxRule <= policy.maxFreshSeconds
    ? { lifetimeSeconds, from: 'rule-max', rule: 'ttl-rule-max', otherwise: one }
    : { lifetimeSeconds, from: 'max-fresh', rule: 'max-fresh', otherwise: one };
}

function matches(pattern: RegExp, url: string): boolean {
  // A pattern with the flag g or y would continue at its last index.
  pattern.lastIndex = 0;
  return pattern.test(url);
}

function seconds(text: string | undefined, response: Dated): number | undefined {
  return parseHttpDate(text, response.receivedAtMs / 1000);
}

/** When it was made, in seconds since 1970: a valid Date, else the time of receipt (RFC 9110 6.6.1). */
function dateOf(response: Dated): number {
  return seconds(response.fields.lines('date')[0], response) ?? Math.floor(response.receivedAtMs / 1000);
}

/** The age of a response when it was received, in milliseconds: corrected_initial_age of RFC 9111 4.2.3. */
export function initialAgeMs(head: StoredHead, fields: Fields): number {
  const response = datedOf(head, fields);
  // Date has whole seconds: against a finer clock every response would look up to a second old.
  const apparent = Math.max(0, Math.floor(head.receivedAtMs / 1000) - dateOf(response)) * 1000;
  const delay = Math.max(0, head.receivedAtMs - head.requestedAtMs);
  return Math.max(apparent, ageOf(fields) * 1000 + delay);
}

/** The age of a stored response in whole seconds, for its Age field (RFC 9111 4.2.3). */
export function currentAgeSeconds(head: StoredHead, nowMs: number): number {
  const resident = Math.max(0, nowMs - head.receivedAtMs);
  return Math.floor((initialAgeMs(head, new Fields(head.fields)) + resident) / 1000);
}

/** When the age of a stored response next grows by a second, in milliseconds since 1970. */
export function nextAgeAtMs(head: StoredHead, nowMs: number): number {
  const bornAtMs = head.receivedAtMs - initialAgeMs(head, new Fields(head.fields));
  return bornAtMs + (currentAgeSeconds(head, nowMs) + 1) * 1000;
}

/** Seconds of the Age field (RFC 9111 5.1): the first value of the first line, 0 for no whole number. */
function ageOf(fields: Fields): number {
  const line = fields.lines('age')[0];
  if (line === undefined) return 0;
  const comma = line.indexOf(',');
  const first = comma < 0 ? line : trimmed(line.slice(0, comma));
  return deltaSeconds(first) ?? 0;
}
