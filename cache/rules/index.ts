// The rules of HTTP caching (RFC 9110, 9111, 9211, 9213, 5861), pure functions of fields and times. fields/
// has the parsers of single fields. Read storable.ts, freshness.ts, then reuse.ts.
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
export { withoutConnectionFields } from './fields/connection-fields.ts';
export { printContentRange } from './fields/content-range.ts';
export { usableTag } from './fields/entity-tag.ts';
export { Fields, type RawFields, trimmed, withField, withoutFields } from './fields/fields.ts';
export { httpDate, parseHttpDate } from './fields/http-date.ts';
export { appendVia, loops, viaNames } from './fields/via.ts';
export { currentAgeSeconds, type Freshness, freshnessOf, nextAgeAtMs } from './freshness.ts';
export { invalidatedUrls, isSafeMethod } from './invalidation.ts';
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
export { withoutReload } from './reload.ts';
export { mayServeStaleOnError, onlyIfCached, type Reuse, reuse } from './reuse.ts';
export { ruleAdvice } from './rule-advice.ts';
export { type RuleName, ruleSentence } from './rule-names.ts';
export { isSecureKey, keyTwins, secureKey, urlOfKey } from './scheme-keys.ts';
export { fieldsForAnother, servedFields, storedFields } from './served-fields.ts';
export { storability } from './storable.ts';
export type { StoredHead } from './stored-head.ts';
export { surrogateKeys } from './surrogate-keys.ts';
export { effectiveUrl, maxUrlLength, normalisedUrl } from './url.ts';
export {
  clientConditions,
  type ExchangeTimes,
  freshenedBy,
  headAfter304,
  headAfterHead,
  validationFields,
} from './validation.ts';
export { choose, isForAnother, matches, selectingFields, varyNamesOf } from './vary.ts';
