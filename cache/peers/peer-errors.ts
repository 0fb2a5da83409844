import type { UpstreamResponse } from '../requests/index.ts';
import { Fields, type RawFields } from '../rules/index.ts';

/** Whether a peer made this answer itself: it names its error (RFC 9209 2.1), or squid's own field does. */
export function isOwnError(raw: RawFields): boolean {
  const fields = new Fields(raw);
  const proxyStatus = unquoted(fields.get('proxy-status'));
  const isKnown =
    /;[ \t]*error[ \t]*=/.test(proxyStatus) && !/;[ \t]*received-status[ \t]*=/.test(proxyStatus);
  return isKnown || fields.has('x-squid-error');
}

/**
 * Whether a parent could not fetch, so that another route may work: 502 and 504 always mean that (RFC 9110
 * 15.6.3, 15.6.5), and 503 when it is the parent's own answer and not a server's.
 */
export function couldNotFetch({ status, fields: raw }: Pick<UpstreamResponse, 'status' | 'fields'>): boolean {
  if (status === 502 || status === 504) return true;
  if (status !== 503) return false;
  if (isOwnError(raw)) return true;
  // RFC 9211 2: a cache states that an answer was forwarded or stored; without Cache-Status, Via shows it.
  const fields = new Fields(raw);
  const cacheStatus = unquoted(fields.get('cache-status'));
  if (cacheStatus !== '') return !/;[ \t]*(?:hit\b|fwd-status[ \t]*=)/.test(cacheStatus);
  return !fields.has('via');
}

/** A structured field without quoted texts. */
const unquoted = (value: string | undefined) => (value ?? '').replace(/"(?:[^"\\]|\\.?)*(?:"|$)/gs, '');
