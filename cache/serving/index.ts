// The object cache itself, which puts the other rooms together, and its routes. Read object-cache.ts, then
// respond.ts.
export { cacheRoutes } from './cache-routes.ts';
export type { ExplainedEntry, ExplainedRule, Explanation } from './explain.ts';
export type { ObjectCache } from './object-cache.ts';
export { type OpenedCache, openCache } from './open-cache.ts';
export { peerLookup } from './peer-lookup.ts';
