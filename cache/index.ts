/*
 * The Object Cache: an HTTP cache that others share, alone, before an origin or in a hierarchy. `doors/` takes requests and
 * writes answers, `ObjectCache` decides by the `rules/` of RFC 9111 between what `storage/` has and what an upstream says,
 * `eviction/` chooses who leaves a full store, and `peers/` finds who of the neighbours has it.
 */
export { type HttpDoor, openHttpDoor } from './doors/index.ts';
export { type CacheOptions, type OpenedCache, openCache } from './open-cache.ts';
export { type CachePolicy, defaultPolicy } from './rules/index.ts';
export { openUpstream } from './upstream.ts';
