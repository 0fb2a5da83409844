import type { UpstreamResponse } from './exchange.ts';
import { Fields } from './rules/index.ts';

/**
 * Whether a parent's answer says that it could not fetch, so that another way may do better: 502 and 504 always do (RFC
 * 9110 15.6.3, 15.6.5); a 503 when it is the parent's own and not what a server said to it.
 */
export function couldNotFetch({ status, fields: raw }: Pick<UpstreamResponse, 'status' | 'fields'>): boolean {
  if (status === 502 || status === 504) return true;
  if (status !== 503) return false;
  const fields = new Fields(raw);
  // RFC 9209 2.1: whoever made the answer names its error; squid has a field of its own for that.
  const proxyStatus = unquoted(fields.get('proxy-status'));
  if (/;[ \t]*error[ \t]*=/.test(proxyStatus) && !/;[ \t]*received-status[ \t]*=/.test(proxyStatus))
    return true;
  if (fields.has('x-squid-error')) return true;
  // RFC 9211 2: a cache that got it from elsewhere, or had it stored, says so. One that tells nothing at all but that it
  // passed it on (Via) is believed.
  const cacheStatus = unquoted(fields.get('cache-status'));
  if (cacheStatus !== '') return !/;[ \t]*(?:hit\b|fwd-status[ \t]*=)/.test(cacheStatus);
  return !fields.has('via');
}

/** A structured field without what stands in quotes, where every sign may be text. */
const unquoted = (value: string | undefined) => (value ?? '').replace(/"(?:[^"\\]|\\.?)*(?:"|$)/gs, '');
