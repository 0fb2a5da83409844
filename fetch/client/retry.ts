import { isGarnerError, type Random } from '../../kernel/index.ts';
import { fetchErrors } from '../errors.ts';
import { objectCacheErrors } from './errors.ts';

/** Statuses after which the same request may succeed a little later. */
export const retriedStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Whether a request that failed without an answer may be repeated automatically. */
export function isRetriedError(error: unknown): boolean {
  const { FETCH_UNREACHABLE, FETCH_REFUSED, FETCH_RESOLVER, FETCH_TIMEOUT } = fetchErrors;
  const { FETCH_CACHE_SILENT } = objectCacheErrors;
  return [FETCH_UNREACHABLE, FETCH_REFUSED, FETCH_RESOLVER, FETCH_TIMEOUT, FETCH_CACHE_SILENT].some((kind) =>
    isGarnerError(error, kind),
  );
}

/** An HTTP-date (RFC 9110 5.6.7, the obsolete forms too) as seconds since 1970, or undefined. */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  // The asctime form names no zone and means GMT.
  const ms = Date.parse(/GMT|UTC|[+-]\d{4}/.test(text) ? text : `${text} GMT`);
  return Number.isFinite(ms) && ms >= 0 ? Math.floor(ms / 1000) : undefined;
}

/** Seconds since 1970 as an HTTP-date. */
export function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

/** Milliseconds that a Retry-After field (RFC 9110 10.2.3: seconds or a date) demands, or undefined. */
export function retryAfterMs(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  if (/^\d{1,9}$/.test(trimmed)) return Number(trimmed) * 1000;
  const date = parseHttpDate(trimmed);
  return date === undefined ? undefined : Math.max(0, date * 1000 - nowMs);
}

/** Milliseconds before repetition `attempt` (1, 2, ...): 500, doubled up to 60,000, half of it random. */
export function backoffMs(attempt: number, random: Random): number {
  const full = Math.min(500 * 2 ** (attempt - 1), 60_000);
  return full / 2 + (full / 2) * random.next();
}
