interface Rule {
  /** The section of a standard, or the setting, that defines it. */
  readonly section: string;
  readonly sentence: string;
}

const rules = {
  // Whether a response is stored.
  method: { section: 'RFC 9111 3', sentence: 'responses to this method are not stored' },
  'request-content': {
    section: 'RFC 9110 9.3.1',
    sentence: 'the request had content, on which the response may depend',
  },
  'status-never-stored': {
    section: 'RFC 9111 3',
    sentence: 'a response with this status is for its own request only',
  },
  'must-understand': {
    section: 'RFC 9111 5.2.2.3',
    sentence: 'the response has must-understand and a status that this cache does not know',
  },
  'request-no-store': { section: 'RFC 9111 5.2.1.5', sentence: 'the request has no-store' },
  'response-no-store': { section: 'RFC 9111 5.2.2.5', sentence: 'the response has no-store' },
  private: { section: 'RFC 9111 5.2.2.7', sentence: 'the response is private to one user' },
  authorization: {
    section: 'RFC 9111 3.5',
    sentence: 'the request had Authorization, and the response does not permit shared caches to store it',
  },
  'vary-all': {
    section: 'RFC 9111 4.1',
    sentence: 'the response varies on more than request fields (Vary: *)',
  },
  'post-elsewhere': {
    section: 'RFC 9110 9.3.3',
    sentence:
      'the answer to a POST is stored only with explicit freshness and its own URL in Content-Location',
  },
  'not-cacheable': {
    section: 'RFC 9111 3',
    sentence:
      'the response has no explicit freshness, is not public, and its status is not cacheable by default',
  },
  'nothing-to-reuse': {
    section: 'RFC 9111 3',
    sentence: 'the response is never fresh and cannot be validated, so that storing it would be of no use',
  },
  'cookie-not-guessed': {
    section: 'cache.share-set-cookie',
    sentence:
      'the response sets a cookie and states neither public nor a lifetime, so that it gets no heuristic or default lifetime',
  },
  'never-fresh-by-rule': {
    section: 'cache.ttl-rules',
    sentence:
      'a rule of the operator for this URL makes the response never fresh, and it cannot be validated, so that storing it would be of no use',
  },
  'never-fresh-by-max': {
    section: 'cache.max-fresh',
    sentence:
      'cache.max-fresh makes every response stale at once, and this one cannot be validated, so that storing it would be of no use',
  },
  stored: { section: 'RFC 9111 3', sentence: 'the response may be stored and is of use while it is fresh' },
  'stored-to-validate': {
    section: 'RFC 9111 3',
    sentence: 'the response may be stored and must be validated before each use',
  },
  'stored-never-fresh': {
    section: 'RFC 9111 3',
    sentence:
      'the response may be stored and must be validated before each use, since this cache gives it no lifetime',
  },
  'stored-understood': {
    section: 'RFC 9111 5.2.2.3',
    sentence: 'the response has must-understand and a known status, so that its no-store does not apply',
  },
  'set-cookie': {
    section: 'cache.share-set-cookie',
    sentence: 'the response sets a cookie, and other clients must not get it',
  },
  'stored-without-cookie': {
    section: 'cache.share-set-cookie',
    sentence: 'the response may be stored, but without its cookie, which is for this client only',
  },
  overtaken: {
    section: 'RFC 9111 4.4',
    sentence: 'the URL was changed or purged while it was being fetched, so the response may be the old one',
  },
  'no-room': {
    section: 'cache.disk',
    sentence: 'the response may be stored, but the store did not admit it',
  },
  'too-large': {
    section: 'cache.largest',
    sentence: 'the response may be stored, but it is larger than the maximum of this cache',
  },
  'store-trouble': {
    section: 'cache.disk',
    sentence: 'the response may be stored, but the disk refused to store responses a moment ago',
  },
  'broken-off': {
    section: 'RFC 9111 3.3',
    sentence: 'the response broke off before its end, and incomplete responses are not stored',
  },
  'rest-unwanted': {
    section: 'RFC 9111 3.3',
    sentence:
      'no client waited for the rest of the response, and the rest was too large to be fetched for the store only',
  },
  // The source of the freshness lifetime.
  'targeted-field': {
    section: 'RFC 9213 2.2',
    sentence: 'a targeted field such as CDN-Cache-Control applies, and Cache-Control and Expires do not',
  },
  's-maxage': { section: 'RFC 9111 5.2.2.10', sentence: 'the lifetime is the value of s-maxage' },
  'max-age': { section: 'RFC 9111 5.2.2.1', sentence: 'the lifetime is the value of max-age' },
  expires: { section: 'RFC 9111 5.3', sentence: 'the lifetime ends at Expires' },
  'invalid-freshness': {
    section: 'RFC 9111 4.2.1',
    sentence: 'the freshness that the response states is invalid, so that it is stale',
  },
  heuristic: {
    section: 'RFC 9111 4.2.2',
    sentence: 'the lifetime is estimated from the time since Last-Modified',
  },
  'ttl-rule': {
    section: 'cache.ttl-rules',
    sentence: 'a rule of the operator for this URL sets the lifetime',
  },
  'ttl-rule-max': {
    section: 'cache.ttl-rules',
    sentence: 'the max of a rule of the operator for this URL limits the lifetime',
  },
  'max-fresh': { section: 'cache.max-fresh', sentence: 'cache.max-fresh limits the lifetime' },
  negative: {
    section: 'cache.negative-ttl',
    sentence: 'an error without a stated lifetime is stored for the short time that the operator set',
  },
  'no-freshness': {
    section: 'RFC 9111 4.2',
    sentence: 'the response states no lifetime and has no date for an estimate',
  },
  // Whether a stored response is used.
  'not-stored': { section: 'RFC 9111 4', sentence: 'no stored response could answer the request' },
  'part-stored': {
    section: 'RFC 9111 3.4',
    sentence: 'a part of the response is stored, and the request needs more of it',
  },
  'other-variant': {
    section: 'RFC 9111 4.1',
    sentence: 'the stored responses are for requests with other values of the fields that Vary names',
  },
  'origin-condition': {
    section: 'RFC 9111 4.3.2',
    sentence: 'the request has If-Match or If-Unmodified-Since, which only the origin can judge',
  },
  fresh: { section: 'RFC 9111 4.2', sentence: 'the stored response is fresh' },
  'reload-ignored': {
    section: 'cache.client-reload',
    sentence:
      'the stored response is fresh, and this cache ignores the request for a newer one (no-cache, max-age, min-fresh, Pragma)',
  },
  stale: { section: 'RFC 9111 4.2.4', sentence: 'the stored response is stale' },
  'must-revalidate': {
    section: 'RFC 9111 4.2.4',
    sentence:
      'the stored response is stale, and must-revalidate, proxy-revalidate or s-maxage forbids using it without validation',
  },
  invalidated: {
    section: 'RFC 9111 4.4',
    sentence: 'a change invalidated the stored response: it is validated before any use',
  },
  'softly-purged': {
    section: 'garner cache purge --soft',
    sentence: 'the stored response was softly purged and has been stale since',
  },
  'clock-set-back': {
    section: 'RFC 9111 4.2.3',
    sentence:
      'the stored response was received later than the current time of the clock, so that its age is unknown',
  },
  'response-no-cache': {
    section: 'RFC 9111 5.2.2.4',
    sentence: 'the stored response has no-cache: it is validated before each use',
  },
  'request-no-cache': { section: 'RFC 9111 5.2.1.4', sentence: 'the request has no-cache' },
  'request-pragma': {
    section: 'RFC 9111 5.4',
    sentence: 'the request has Pragma: no-cache and no Cache-Control',
  },
  'request-max-age': {
    section: 'RFC 9111 5.2.1.1',
    sentence: 'the stored response is older than the max-age of the request',
  },
  'request-min-fresh': {
    section: 'RFC 9111 5.2.1.3',
    sentence: 'the stored response does not stay fresh for the min-fresh of the request',
  },
  'request-max-stale': {
    section: 'RFC 9111 5.2.1.2',
    sentence: 'the stored response is stale, and the request accepts that by max-stale',
  },
  'stale-while-revalidate': {
    section: 'RFC 5861 3',
    sentence: 'the stored response is stale and is used while it is validated in the background',
  },
  'stale-for-a-cache': {
    section: 'RFC 5861 3',
    sentence:
      'the stored response is stale, and a requesting cache gets no stale-while-revalidate, since the windows would add up',
  },
  'stale-if-error': {
    section: 'RFC 5861 4',
    sentence: 'the stored response is stale, and stale-if-error allows it while the origin fails',
  },
  disconnected: {
    section: 'RFC 9111 4.2.4',
    sentence: 'the stored response is stale, and the origin could not be reached',
  },
  // Why a request got an error in place of an answer.
  'no-answer': {
    section: 'RFC 9110 15.6.3',
    sentence: 'no server or peer gave a usable answer',
  },
  'address-refused': {
    section: 'cache.allow-hosts',
    sentence: 'the request leads to an address or a port that the operator has not named',
  },
  'only-if-cached': {
    section: 'RFC 9111 5.2.1.7',
    sentence: 'the request accepts only a stored response, and no stored response may answer it',
  },
  loop: {
    section: 'RFC 9110 7.6.3',
    sentence: 'the request has already passed through this cache, by its Via',
  },
  'request-unusable': {
    section: 'RFC 9110 15.5.1',
    sentence: 'the request itself cannot be forwarded',
  },
  busy: { section: 'RFC 9110 15.6.4', sentence: 'this cache was overloaded or about to stop' },
  'cache-failed': { section: 'RFC 9110 15.6.1', sentence: 'this cache itself failed' },
} as const satisfies Record<string, Rule>;

/** The rule that decided; `ruleSentence` explains it. */
export type RuleName = keyof typeof rules;

export const ruleNames = Object.keys(rules) as readonly RuleName[];

/** The section that defines a rule, and its effect in plain English. */
export function ruleSentence(name: RuleName): Rule {
  return rules[name];
}
