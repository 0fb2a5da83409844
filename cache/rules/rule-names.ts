interface Rule {
  /** Where it is written. */
  readonly section: string;
  /** What it did, for a person who asks why. */
  readonly sentence: string;
}

const rules = {
  // Whether a response is stored.
  method: { section: 'RFC 9111 3', sentence: 'responses to this method are not stored' },
  'request-content': {
    section: 'RFC 9110 9.3.1',
    sentence: 'the request had content, which may have made the response another one',
  },
  'status-never-stored': {
    section: 'RFC 9111 3',
    sentence: 'a response with this status belongs to its own request only',
  },
  'must-understand': {
    section: 'RFC 9111 5.2.2.3',
    sentence: 'the response has must-understand and a status that this cache does not know',
  },
  'request-no-store': { section: 'RFC 9111 5.2.1.5', sentence: 'the request said no-store' },
  'response-no-store': { section: 'RFC 9111 5.2.2.5', sentence: 'the response said no-store' },
  private: { section: 'RFC 9111 5.2.2.7', sentence: 'the response is private to one user' },
  authorization: {
    section: 'RFC 9111 3.5',
    sentence: 'the request bore Authorization, and the response allows no shared cache to keep it',
  },
  'vary-all': {
    section: 'RFC 9111 4.1',
    sentence: 'the response varies on more than a cache can see (Vary: *)',
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
    sentence: 'the response is never fresh and cannot be validated, so that keeping it would be of no use',
  },
  'cookie-not-guessed': {
    section: 'cache.share-set-cookie',
    sentence:
      'the response sets a cookie and says neither that it is public nor for how long it is fresh, so that it gets no lifetime by a guess or a default',
  },
  'never-fresh-by-rule': {
    section: 'cache.ttl-rules',
    sentence:
      'a rule of the operator for this URL has the response never fresh, and it cannot be validated, so that keeping it would be of no use',
  },
  'never-fresh-by-max': {
    section: 'cache.max-fresh',
    sentence:
      'cache.max-fresh has no response ever fresh, and this one cannot be validated, so that keeping it would be of no use',
  },
  stored: { section: 'RFC 9111 3', sentence: 'the response may be stored and is of use while it is fresh' },
  'stored-to-validate': {
    section: 'RFC 9111 3',
    sentence: 'the response may be stored and has to be validated before each use',
  },
  'stored-never-fresh': {
    section: 'RFC 9111 3',
    sentence:
      'the response may be stored and has to be validated before each use, as this cache gives it no lifetime',
  },
  'stored-understood': {
    section: 'RFC 9111 5.2.2.3',
    sentence: 'the response has must-understand and a known status, so that its no-store does not count',
  },
  'set-cookie': {
    section: 'cache.share-set-cookie',
    sentence: 'the response sets a cookie, and others are not to be given it',
  },
  'stored-without-cookie': {
    section: 'cache.share-set-cookie',
    sentence: 'the response may be stored, but without its cookie, which is for nobody else',
  },
  overtaken: {
    section: 'RFC 9111 4.4',
    sentence: 'the URL was changed or purged while it was asked for, so the response may be the one before',
  },
  'no-room': {
    section: 'cache.disk',
    sentence: 'the response may be stored, but the store did not admit it',
  },
  'too-large': {
    section: 'cache.largest',
    sentence: 'the response may be stored, but it is larger than this cache keeps any',
  },
  'store-trouble': {
    section: 'cache.disk',
    sentence: 'the response may be stored, but the disk refused to keep responses a moment ago',
  },
  'broken-off': {
    section: 'RFC 9111 3.3',
    sentence: 'the response broke off before its end, and what is not whole is not stored',
  },
  'rest-unwanted': {
    section: 'RFC 9111 3.3',
    sentence:
      'nobody waited for the rest of the response, and too much of it was to come to be fetched for the store alone',
  },
  // What makes the freshness lifetime.
  'targeted-field': {
    section: 'RFC 9213 2.2',
    sentence: 'a targeted field such as CDN-Cache-Control counts, and Cache-Control and Expires do not',
  },
  's-maxage': { section: 'RFC 9111 5.2.2.10', sentence: 'the lifetime is that of s-maxage' },
  'max-age': { section: 'RFC 9111 5.2.2.1', sentence: 'the lifetime is that of max-age' },
  expires: { section: 'RFC 9111 5.3', sentence: 'the lifetime ends at Expires' },
  'invalid-freshness': {
    section: 'RFC 9111 4.2.1',
    sentence: 'the freshness that the response states is invalid, so that it counts as stale',
  },
  heuristic: {
    section: 'RFC 9111 4.2.2',
    sentence: 'the lifetime is guessed from the time since Last-Modified',
  },
  'ttl-rule': {
    section: 'cache.ttl-rules',
    sentence: 'a rule of the operator for this URL made the lifetime',
  },
  'ttl-rule-max': {
    section: 'cache.ttl-rules',
    sentence: 'the max of a rule of the operator for this URL cut the lifetime',
  },
  'max-fresh': { section: 'cache.max-fresh', sentence: 'cache.max-fresh cut the lifetime' },
  negative: {
    section: 'cache.negative-ttl',
    sentence: 'an error without freshness of its own is kept for the short time that the operator set',
  },
  'no-freshness': {
    section: 'RFC 9111 4.2',
    sentence: 'the response says nothing of its freshness and there is nothing to guess by',
  },
  // Whether a stored response is used.
  'not-stored': { section: 'RFC 9111 4', sentence: 'nothing that could answer the request is stored' },
  'part-stored': {
    section: 'RFC 9111 3.4',
    sentence: 'a part of the response is stored, and the request wants more of it',
  },
  'other-variant': {
    section: 'RFC 9111 4.1',
    sentence: 'what is stored is for requests with other values of the fields that Vary names',
  },
  'origin-condition': {
    section: 'RFC 9111 4.3.2',
    sentence: 'the request bears If-Match or If-Unmodified-Since, which only the origin can judge',
  },
  fresh: { section: 'RFC 9111 4.2', sentence: 'the stored response is fresh' },
  'reload-ignored': {
    section: 'cache.client-reload',
    sentence:
      'the stored response is fresh, and that the request wants a newer one (no-cache, max-age, min-fresh, Pragma) does not count here',
  },
  stale: { section: 'RFC 9111 4.2.4', sentence: 'the stored response is stale' },
  'must-revalidate': {
    section: 'RFC 9111 4.2.4',
    sentence:
      'the stored response is stale, and must-revalidate, proxy-revalidate or s-maxage forbids to use it unvalidated',
  },
  invalidated: {
    section: 'RFC 9111 4.4',
    sentence: 'a change outdated the stored response: it is validated before any use',
  },
  'softly-purged': {
    section: 'garner cache purge --soft',
    sentence: 'the stored response was softly purged, and is stale since then',
  },
  'clock-set-back': {
    section: 'RFC 9111 4.2.3',
    sentence: 'the stored response came in later than the clock says it is now, so that its age is unknown',
  },
  'response-no-cache': {
    section: 'RFC 9111 5.2.2.4',
    sentence: 'the stored response said no-cache: it is validated before each use',
  },
  'request-no-cache': { section: 'RFC 9111 5.2.1.4', sentence: 'the request said no-cache' },
  'request-pragma': {
    section: 'RFC 9111 5.4',
    sentence: 'the request said Pragma: no-cache and has no Cache-Control',
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
      'the stored response is stale, and another cache that asks gets no stale-while-revalidate, which would add up',
  },
  'stale-if-error': {
    section: 'RFC 5861 4',
    sentence: 'the stored response is stale, and stale-if-error allows it while the origin fails',
  },
  disconnected: {
    section: 'RFC 9111 4.2.4',
    sentence: 'the stored response is stale, and the origin could not be asked',
  },
  // Why a request got an error in place of an answer.
  'no-answer': {
    section: 'RFC 9110 15.6.3',
    sentence: 'none of those that were asked gave an answer that can be used',
  },
  'address-refused': {
    section: 'cache.allow-hosts',
    sentence: 'the request leads to an address or a port that the operator did not name',
  },
  'only-if-cached': {
    section: 'RFC 9111 5.2.1.7',
    sentence: 'the request wants what is stored alone, and nothing that is may answer it',
  },
  loop: {
    section: 'RFC 9110 7.6.3',
    sentence: 'the request has come through this cache before, as its Via says',
  },
  'request-unusable': {
    section: 'RFC 9110 15.5.1',
    sentence: 'the request itself cannot be sent on',
  },
  busy: { section: 'RFC 9110 15.6.4', sentence: 'this cache had too much to do, or was about to end' },
  'cache-failed': { section: 'RFC 9110 15.6.1', sentence: 'this cache itself failed' },
} as const satisfies Record<string, Rule>;

/** The rule that decided; `ruleSentence` says what it is. */
export type RuleName = keyof typeof rules;

/** Every rule that there is. */
export const ruleNames = Object.keys(rules) as readonly RuleName[];

/** The section that a rule stands in, and what it says in plain English. */
export function ruleSentence(name: RuleName): Rule {
  return rules[name];
}
