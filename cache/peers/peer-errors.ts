import type { UpstreamResponse } from '../requests/index.ts';
import { Fields, type RawFields } from '../rules/index.ts';

/** Whether a peer made this answer itself: it names its error (RFC 9209 2.1); squid has a field of its own for that. */
export function isOwnError(raw: RawFields): boolean {
  const fields = new Fields(raw);
  const proxyStatus = unquoted(fields.get('proxy-status'));
  const isKnown =
    /;[ \t]*error[ \t]*=/.test(proxyStatus) && !/;[ \t]*received-status[ \t]*=/.test(proxyStatus);
  return isKnown || fields.has('x-squid-error');
}

/**
 * Whether a parent's answer says that it could not fetch, so that another way may do better: 502 and 504 always do (RFC
 * 9110 15.6.3, 15.6.5); a 503 when it is the parent's own and not what a server said to it.
 */
export function couldNotFetch({ status, fields: raw }: Pick<UpstreamResponse, 'status' | 'fields'>): boolean {
  if (status === 502 || status === 504) return true;
  if (status !== 503) return false;
  if (isOwnError(raw)) return true;
  // RFC 9211 2: a cache that got it from elsewhere, or had it stored, says so. One that tells nothing at all but that it
  // passed it on (Via) is believed.
  const fields = new Fields(raw);
  const cacheStatus = unquoted(fields.get('cache-status'));
  if (cacheStatus !== '') return !/;[ \t]*(?:hit\b|fwd-status[ \t]*=)/.test(cacheStatus);
  return !fields.has('via');
}

/** A structured field without what stands in quotes, where every sign may be text. */
const unquoted = (value: string | undefined) => (value ?? '').replace(/"(?:[^"\\]|\\.?)*(?:"|$)/gs, '');
