/*
 * What RFC 9111 and its neighbours say, as pure functions over fields and times: nothing here reads a clock, a socket or
 * a store. A response that comes in is asked for `storability`; a stored one for `reuse`, which rests on `freshnessOf` and
 * `currentAgeSeconds`. Every decision names its rule, and `ruleSentence` says it in plain English.
 */
export { Fields, withField, withoutFields } from './fields.ts';
export type { RawFields } from './raw-fields.ts';
export type { StoredHead } from './stored-head.ts';

// Selection, validation, ranges and what a message carries.
