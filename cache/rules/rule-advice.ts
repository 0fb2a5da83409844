import type { RuleName } from './rule-names.ts';

const replaced =
  'cache.ttl-rules with max shortens it, with override replaces it; cache.max-fresh limits every lifetime';
const ruled = 'cache.ttl-rules: the first pattern that matches applies';
const clients =
  'the client requests it, as a browser does on reload; with cache.client-reload: ignore an accelerator answers from the store all the same';

/** How to get another outcome: a setting, or a field of the server. Absent where nothing is to be changed. */
const advice: Readonly<Partial<Record<RuleName, string>>> = {
  'request-no-store': 'the client requests it; without no-store in its Cache-Control the response is stored',
  'response-no-store':
    'the server may omit no-store, or send CDN-Cache-Control for accelerators; no setting overrides it',
  private: 'the server may omit private, or send CDN-Cache-Control for accelerators; no setting overrides it',
  authorization:
    'the server may send Cache-Control: public or s-maxage if the response is the same for all users',
  'vary-all': 'the server may name in Vary the fields on which the response depends',
  'not-cacheable': 'the server may send max-age; cache.ttl-rules with override stores it all the same',
  'nothing-to-reuse':
    'the server may send max-age; cache.ttl-rules with default stores it, with override regardless of its fields; cache.negative-ttl stores errors such as 404',
  'stored-to-validate':
    'the server may send max-age; cache.ttl-rules with default makes it fresh for a time, with override regardless of its fields',
  'cookie-not-guessed':
    'the server may send public, s-maxage or max-age if the cookie is for everybody (cache.share-set-cookie defines what is enough); cache.ttl-rules with override gives it a lifetime regardless of its fields',
  'never-fresh-by-rule':
    'raise or remove the 0 of max or override in cache.ttl-rules, where the first pattern that matches applies',
  'never-fresh-by-max': 'raise cache.max-fresh',
  'stored-never-fresh': 'the lifetime of the stored response names the setting',
  'set-cookie':
    'cache.share-set-cookie: strip stores it without the cookie; the server may send public or s-maxage',
  'stored-without-cookie':
    'the server may send max-age or public if the cookie is for everybody; cache.share-set-cookie defines what is enough',
  'no-room': 'raise cache.disk, or cache.memory if there is no disk',
  'too-large': 'raise cache.largest',
  'store-trouble': 'garner cache status shows the error of the disk, its time, and what to do',
  'broken-off': 'the server, or an intermediary, breaks off its answer: its log may show the reason',
  'targeted-field': replaced,
  's-maxage': replaced,
  'max-age': replaced,
  expires: replaced,
  'invalid-freshness': 'the server may send a valid time; cache.ttl-rules with override replaces it',
  heuristic: 'cache.heuristic-percent and cache.heuristic-max; by URL cache.ttl-rules with min and max',
  'ttl-rule': ruled,
  'ttl-rule-max': 'raise or remove max in cache.ttl-rules, where the first pattern that matches applies',
  'max-fresh': 'raise cache.max-fresh',
  negative: 'cache.negative-ttl',
  'no-freshness':
    'the server may send max-age; cache.ttl-rules with default gives it a lifetime, and cache.negative-ttl gives one to errors such as 404',
  'other-variant':
    'the server may name fewer fields in Vary, and clients may send fewer values of them; cache.ignore-cookies removes cookies that change nothing',
  stale:
    'a longer lifetime; or the server sends stale-while-revalidate, so that the stale response answers during validation',
  'must-revalidate':
    'the server may omit must-revalidate and proxy-revalidate, or send stale-while-revalidate with s-maxage',
  'response-no-cache': 'the server may send max-age in place of no-cache; no setting overrides it',
  'reload-ignored': 'cache.client-reload: obey',
  'request-no-cache': clients,
  'request-pragma': clients,
  'request-max-age': clients,
  'request-min-fresh': clients,
  'stale-if-error': 'the server limits the time with stale-if-error',
  'no-answer':
    'garner doctor checks the origins and peers; with cache.stale-if-error a stored response answers instead',
  'address-refused': 'cache.allow-hosts names the permitted addresses and ports',
  'only-if-cached': 'the client requests it, as a cache does that has this one as a sibling',
  loop: 'two caches have each other as parents, or two have the same cache.name',
  'cache-failed': 'the log shows the reason',
  disconnected: 'cache.stale-if-error limits the time, unless the server does',
};

/** Advice on how to change what a rule decided; undefined where nothing is to be changed. */
export function ruleAdvice(name: RuleName): string | undefined {
  return advice[name];
}
