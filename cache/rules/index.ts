/*
 * What RFC 9111 and its neighbours say, as pure functions over fields and times: nothing here reads a clock, a socket or
 * a store. A response that comes in is asked for `storability`; a stored one for `reuse`, which rests on `freshnessOf` and
 * `currentAgeSeconds`. Every decision names its rule, and `ruleSentence` says it in plain English.
 */
export { type Directives, parseDirectives } from './directives.ts';
export { Fields, withField, withoutFields } from './fields.ts';
export { currentAgeSeconds, type Freshness, freshnessOf } from './freshness.ts';
export { httpDate, parseHttpDate } from './http-date.ts';
export { type CachePolicy, defaultPolicy, type TtlRule } from './policy.ts';
export type { RawFields } from './raw-fields.ts';
export { mayServeStaleOnError, onlyIfCached, type Reuse, reuse } from './reuse.ts';
export { type RuleName, ruleSentence } from './rule-names.ts';
export { type Storability, type StorableRequest, storability } from './storable.ts';
export type { StoredHead } from './stored-head.ts';

// Selection, validation, ranges and what a message carries.
