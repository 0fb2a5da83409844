import type { RuleName } from './rule-names.ts';

const replaced =
  'cache.ttl-rules with max shortens it, with override replaces it; cache.max-fresh bounds everything';
const ruled = 'cache.ttl-rules: the first pattern that matches counts';
const clients =
  'the client wants it so, as a browser does that reloads; cache.client-reload: ignore has an accelerator answer all the same';

/** What would have another outcome: a setting of ours, or what the server says. Absent where nothing is to be changed. */
const advice: Readonly<Partial<Record<RuleName, string>>> = {
  'request-no-store': 'the client wants it so; without no-store in its Cache-Control it is stored',
  'response-no-store':
    'the server may leave no-store out, or say CDN-Cache-Control for accelerators; no setting overrides it',
  private:
    'the server may leave private out, or say CDN-Cache-Control for accelerators; no setting overrides it',
  authorization: 'the server may say Cache-Control: public or s-maxage where it is the same for all users',
  'vary-all': 'the server may name in Vary the fields that it looks at',
  'not-cacheable': 'the server may say max-age; cache.ttl-rules with override keeps it all the same',
  'nothing-to-reuse':
    'the server may say max-age; cache.ttl-rules with default keeps it, with override whatever it says; cache.negative-ttl keeps errors such as 404',
  'stored-to-validate':
    'the server may say max-age; cache.ttl-rules with default makes it fresh for a time, with override whatever it says',
  'cookie-not-guessed':
    'the server may say public, s-maxage or max-age where the cookie is for all (cache.share-set-cookie says what is enough); cache.ttl-rules with override gives it a lifetime whatever it says',
  'never-fresh-by-rule':
    'raise or drop the 0 of max or override in cache.ttl-rules, where the first pattern that matches counts',
  'never-fresh-by-max': 'raise cache.max-fresh',
  'stored-never-fresh': 'the lifetime of what is stored names the setting',
  'set-cookie':
    'cache.share-set-cookie: strip keeps it without the cookie; the server may say public or s-maxage',
  'stored-without-cookie':
    'the server may say max-age or public where the cookie is for all; cache.share-set-cookie says what is enough',
  'no-room': 'raise cache.disk, or cache.memory where there is no disk',
  'too-large': 'raise cache.largest',
  'store-trouble': 'garner cache status says what the disk refuses, since when, and what to do',
  'broken-off': 'the server, or what stands between, breaks off what it sends: its log may say why',
  'targeted-field': replaced,
  's-maxage': replaced,
  'max-age': replaced,
  expires: replaced,
  'invalid-freshness': 'the server may say a valid time; cache.ttl-rules with override replaces it',
  heuristic: 'cache.heuristic-percent and cache.heuristic-max; by URL cache.ttl-rules with min and max',
  'ttl-rule': ruled,
  'ttl-rule-max': 'raise or drop max in cache.ttl-rules, where the first pattern that matches counts',
  'max-fresh': 'raise cache.max-fresh',
  negative: 'cache.negative-ttl',
  'no-freshness':
    'the server may say max-age; cache.ttl-rules with default gives it a lifetime, cache.negative-ttl errors such as 404',
  'other-variant':
    'the server may name fewer fields in Vary, and clients may send fewer values of them; cache.ignore-cookies leaves out cookies that change nothing',
  stale: 'a longer lifetime; or the server says stale-while-revalidate, which answers while it is validated',
  'must-revalidate':
    'the server may leave must-revalidate and proxy-revalidate out, or say stale-while-revalidate beside s-maxage',
  'response-no-cache': 'the server may say max-age in place of no-cache; no setting overrides it',
  'reload-ignored': 'cache.client-reload: obey',
  'request-no-cache': clients,
  'request-pragma': clients,
  'request-max-age': clients,
  'request-min-fresh': clients,
  'stale-if-error': 'the server says with stale-if-error for how long',
  'no-answer': 'garner doctor asks the origins and peers; cache.stale-if-error has what is stored stand in',
  'address-refused': 'cache.allow-hosts names addresses and ports that may be asked',
  'only-if-cached': 'the client wants it so, as a cache does that has this one as a sibling',
  loop: 'two caches have each other as parents, or two have one cache.name',
  'cache-failed': 'the log says why',
  disconnected: 'cache.stale-if-error says for how long, where the server does not',
};

/** What would change what a rule decided, in plain English; undefined where nothing is to be changed. */
export function ruleAdvice(name: RuleName): string | undefined {
  return advice[name];
}
