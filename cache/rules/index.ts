/*
 * What RFC 9111 and its neighbours say, as pure functions over fields and times: nothing here reads a clock, a socket or
 * a store. A response that comes in is asked for `storability`; a stored one for `reuse`, which rests on `freshnessOf` and
 * `currentAgeSeconds`. Which of several stored responses a request means, how it is validated, which part of it is wanted
 * and what a message carries beside its content is told by the others. Every decision names its rule, and `ruleSentence`
 * says it in plain English.
 */
export { type CacheStatus, cacheStatus, type Forwarded } from './cache-status.ts';
export {
  type ContentPart,
  combinable,
  combinedRange,
  missingRange,
  receivedPart,
  strongValidator,
} from './combine.ts';
export { asksOrigin, notModified, notModifiedFields } from './conditional.ts';
export { withoutConnectionFields } from './connection-fields.ts';
export { printContentRange } from './content-range.ts';
export { type Directives, parseDirectives } from './directives.ts';
export { usableTag } from './entity-tag.ts';
export { Fields, trimmed, withField, withoutFields } from './fields.ts';
export { currentAgeSeconds, type Freshness, freshnessOf, nextAgeAtMs } from './freshness.ts';
export { httpDate, parseHttpDate } from './http-date.ts';
export { invalidatedUrls, isSafeMethod } from './invalidation.ts';
export { isSecureKey, keyTwins, secureKey, urlOfKey } from './key-twins.ts';
export { namePatterns } from './name-patterns.ts';
export {
  type CachePolicy,
  type ClientReload,
  defaultPolicy,
  type SharedCookies,
  type TtlRule,
} from './policy.ts';
export { QueryRules } from './query-rules.ts';
export { answerRange, type ByteRange } from './ranges.ts';
export type { RawFields } from './raw-fields.ts';
export { withoutReload } from './reload.ts';
export { mayServeStaleOnError, onlyIfCached, type Reuse, reuse } from './reuse.ts';
export { ruleAdvice } from './rule-advice.ts';
export { type RuleName, ruleSentence } from './rule-names.ts';
export { fieldsForAnother, servedFields, storedFields } from './served.ts';
export { type Storability, type StorableRequest, storability } from './storable.ts';
export type { StoredHead } from './stored-head.ts';
export { surrogateKeys } from './surrogate-keys.ts';
export { effectiveUrl, longestUrl, normalisedUrl } from './url.ts';
export {
  clientConditions,
  type ExchangeTimes,
  freshenedBy,
  headAfter304,
  headAfterHead,
  validationFields,
} from './validation.ts';
export { choose, isForAnother, matches, selectingFields, varyNamesOf } from './vary.ts';
export { appendVia, loops, viaNames } from './via.ts';
