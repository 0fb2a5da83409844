import type { CacheRequest } from '../requests/index.ts';
import { type QueryRules, urlOfKey } from '../rules/index.ts';

/**
 * The request under the key that its query gives it. The origin still gets the whole query, unless the rules
 * strip it.
 */
export function keyed(request: CacheRequest, queries: QueryRules): CacheRequest {
  const url = queries.keyOf(request.url);
  if (url === request.url) return request;
  const sent = request.origin?.url ?? urlOfKey(request.url);
  const strips = queries.strips && (request.method === 'GET' || request.method === 'HEAD');
  return { ...request, url, origin: { ...request.origin, url: strips ? queries.stripped(sent) : sent } };
}
