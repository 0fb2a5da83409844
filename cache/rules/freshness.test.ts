import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RawFields } from './fields/fields.ts';
import { httpDate } from './fields/http-date.ts';
import { currentAgeSeconds, freshnessOf } from './freshness.ts';
import { type CachePolicy, defaultPolicy } from './policy.ts';
import type { StoredHead } from './stored-head.ts';

const now = Date.UTC(2026, 0, 1) / 1000;
const nowMs = now * 1000;
const day = 86_400;

function head(fields: RawFields, more: Partial<StoredHead> = {}): StoredHead {
  return {
    url: 'http://a.example/x',
    status: 200,
    reason: 'OK',
    fields,
    requestedAtMs: nowMs,
    receivedAtMs: nowMs,
    selecting: [],
    authorized: false,
    ...more,
  };
}

const date = (offset: number) => ['Date', httpDate(now + offset)];
const expires = (offset: number) => ['Expires', httpDate(now + offset)];
const modified = (offset: number) => ['Last-Modified', httpDate(now + offset)];
const lifetime = (fields: RawFields, policy: CachePolicy = defaultPolicy, more: Partial<StoredHead> = {}) =>
  freshnessOf(head(fields, more), policy).lifetimeSeconds;
const from = (fields: RawFields, policy: CachePolicy = defaultPolicy, more: Partial<StoredHead> = {}) =>
  freshnessOf(head(fields, more), policy).from;

test('RFC 9111 4.2.1: s-maxage goes before max-age, and max-age before Expires', () => {
  assert.equal(lifetime(['Cache-Control', 'max-age=3600, s-maxage=1', ...expires(100)]), 1);
  assert.equal(lifetime(['Cache-Control', 's-maxage=1', 'Cache-Control', 'max-age=3600']), 1);
  assert.equal(lifetime(['Cache-Control', 'max-age=0, s-maxage=3600', ...expires(-10)]), 3600);
  assert.equal(lifetime(['Cache-Control', 'max-age=3600', ...expires(-7200), ...date(0)]), 3600);
  assert.equal(lifetime(['Cache-Control', 'max-age=3600', 'Expires', '0']), 3600);
  assert.equal(lifetime(['Cache-Control', 'max-age=0', ...expires(3600), ...date(0)]), 0);
});

test('RFC 9111 4.2.1: Expires counts from Date, or from the time of receipt without a valid one', () => {
  assert.equal(lifetime([...expires(20), ...date(-10)]), 30);
  assert.equal(lifetime([...expires(300), ...date(400)]), 0);
  assert.equal(lifetime([...expires(0), ...date(0)]), 0);
  assert.equal(lifetime([...expires(10), 'Date', 'foo']), 10);
  assert.equal(lifetime([...expires(10)]), 10);
});

test('RFC 9111 4.2.1, 5.3: freshness that is invalid is staleness, and no heuristic steps in', () => {
  for (const fields of [
    ['Expires', '0'],
    ['Expires', ''],
    ['Expires', 'Thu, 18 Aug 2050 02:01:18 UTC'],
    [...expires(100), ...expires(101)],
    ['Cache-Control', 'max-age=3600.0'],
    ['Cache-Control', 'max-age=-1', ...expires(100)],
    ['Cache-Control', 's-maxage=x, max-age=100'],
  ]) {
    const found = freshnessOf(head([...fields, ...modified(-100 * day), ...date(0)]), defaultPolicy);
    assert.equal(found.lifetimeSeconds, 0, fields.join(': '));
    assert.equal(found.rule, 'invalid-freshness', fields.join(': '));
  }
  assert.equal(lifetime([...expires(100), ...expires(100), ...date(0)]), 100);
});

test('RFC 9111 4.2.2: a part of the time since Last-Modified is the lifetime when nothing is said', () => {
  assert.equal(lifetime([...modified(-1000), ...date(0)]), 100);
  assert.equal(from([...modified(-1000), ...date(0)]), 'heuristic');
  assert.equal(lifetime([...modified(-1009), ...date(0)]), 100);
  assert.equal(lifetime([...modified(-10), ...date(0)]), 1);
  assert.equal(from([...modified(-9), ...date(0)]), 'none');
  assert.equal(lifetime([...modified(-1000), ...date(-500)]), 50);
  assert.equal(lifetime([...modified(-1000 * day)]), defaultPolicy.heuristicMaxSeconds);
  assert.equal(lifetime([...modified(1000), ...date(0)]), 0);
  assert.equal(lifetime(['Last-Modified', 'yesterday', ...date(0)]), 0);
  assert.equal(from([...date(0)]), 'none');
});

test('RFC 9111 4.2.2: heuristics are for statuses cacheable by default and for what is public', () => {
  const fields = [...modified(-1000), ...date(0)];
  for (const status of [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501])
    assert.equal(lifetime(fields, defaultPolicy, { status }), 100, String(status));
  for (const status of [201, 202, 302, 303, 307, 400, 403, 500, 502, 503, 504, 599]) {
    assert.equal(lifetime(fields, defaultPolicy, { status }), 0, String(status));
    assert.equal(
      lifetime([...fields, 'Cache-Control', 'public'], defaultPolicy, { status }),
      100,
      String(status),
    );
  }
});

test('RFC 9111 7.3: a lifetime is not guessed for what sets a cookie, but is taken when it is said', () => {
  assert.equal(lifetime([...modified(-1000), ...date(0), 'Set-Cookie', 'a=b']), 0);
  assert.equal(
    lifetime([...modified(-1000), ...date(0), 'Set-Cookie', 'a=b', 'Cache-Control', 'public']),
    100,
  );
  assert.equal(lifetime(['Set-Cookie', 'a=b', 'Cache-Control', 'max-age=5']), 5);
});

test('RFC 9213 2.2: a valid targeted field counts, and Cache-Control and Expires do not', () => {
  const cdn = (value: string) => ['CDN-Cache-Control', value];
  assert.equal(lifetime([...cdn('max-age=3600'), 'Cache-Control', 'max-age=1']), 3600);
  assert.equal(from([...cdn('max-age=3600')]), 'cdn-cache-control');
  assert.equal(lifetime([...cdn('max-age=1'), 'Cache-Control', 's-maxage=3600']), 1);
  assert.equal(lifetime([...cdn('max-age=0'), ...expires(1000), ...date(0)]), 0);
  assert.equal(lifetime([...cdn('foobar, max-age=3600'), 'Expires', '0', ...date(0)]), 3600);
  assert.equal(
    lifetime([...cdn('no-transform'), ...expires(1000), 'Cache-Control', 'max-age=9', ...date(0)]),
    0,
  );
  assert.equal(lifetime([...cdn('max-age=99999999999')]), defaultPolicy.maxFreshSeconds);
  assert.equal(lifetime([...cdn('max-age=5'), ...cdn('foo')]), 5);
  assert.equal(lifetime([...cdn('max-age=5, max-age=7')]), 7);
});

test('RFC 9213 2.2: a targeted field that is empty, does not parse or has a wrong type is as if it were not there', () => {
  for (const value of [
    '',
    '  ',
    'max-age =100',
    'max-age= 100',
    'max-age=10, &&&&',
    'max-age="10"',
    'max-age=1.5',
    'max-age',
    'max-age=5, no-store="x"',
    'MaX-aGe=5',
  ]) {
    assert.equal(lifetime(['CDN-Cache-Control', value, 'Cache-Control', 'max-age=1']), 1, value);
  }
});

test('RFC 9111 4.2.1: the rule that made a lifetime is named', () => {
  const rule = (fields: RawFields) => freshnessOf(head(fields), defaultPolicy).rule;
  assert.equal(rule(['Cache-Control', 's-maxage=1']), 's-maxage');
  assert.equal(rule(['Cache-Control', 'max-age=1']), 'max-age');
  assert.equal(rule(['CDN-Cache-Control', 'max-age=1']), 'targeted-field');
  assert.equal(rule([...expires(9), ...date(0)]), 'expires');
  assert.equal(rule([...modified(-1000), ...date(0)]), 'heuristic');
  assert.equal(rule([]), 'no-freshness');
});

test('RFC 9213 2.2: a cache listens only to the targeted fields on its list, in their order', () => {
  const fields = [
    'CDN-Cache-Control',
    'max-age=2',
    'Our-Cache-Control',
    'max-age=3',
    'Cache-Control',
    'max-age=1',
  ];
  assert.equal(lifetime(fields, { ...defaultPolicy, targetedFields: [] }), 1);
  assert.equal(
    lifetime(fields, { ...defaultPolicy, targetedFields: ['our-cache-control', 'cdn-cache-control'] }),
    3,
  );
});

test('the first rule for a URL that matches bounds what is guessed, and caps what is said', () => {
  const policy = {
    ...defaultPolicy,
    ttlRules: [
      { pattern: /\.png$/g, minSeconds: 50, maxSeconds: 60 },
      { pattern: /\/fixed/, overrideSeconds: 7 },
      { pattern: /./, defaultSeconds: 5 },
    ],
  };
  const png = { url: 'http://a.example/a.png' };
  for (let times = 0; times < 2; times++)
    assert.equal(lifetime([...modified(-100), ...date(0)], policy, png), 50);
  assert.equal(lifetime([...modified(-10_000), ...date(0)], policy, png), 60);
  assert.equal(lifetime([...modified(-550), ...date(0)], policy, png), 55);
  assert.equal(lifetime([], policy, png), 50);
  assert.equal(lifetime(['Cache-Control', 'max-age=1'], policy, png), 1);
  assert.equal(lifetime(['Cache-Control', 'max-age=100'], policy, png), 60);
  assert.equal(lifetime(['Cache-Control', 'max-age=100'], policy, { url: 'http://a.example/fixed' }), 7);
  assert.equal(lifetime([], policy), 5);
  assert.equal(from([], policy), 'rule');
  assert.equal(lifetime([], policy, { status: 500 }), 0);
});

test('a setting that bounds a lifetime is named, with what it would be without', () => {
  const reported = (fields: RawFields, policy: Partial<CachePolicy>) => {
    const { otherwise, ...bounded } = freshnessOf(head(fields), { ...defaultPolicy, ...policy });
    return [...Object.values(bounded), otherwise?.lifetimeSeconds, otherwise?.from];
  };
  const ruled = (rule: object) => ({ ttlRules: [{ pattern: /./, ...rule }] });
  const said = ['Cache-Control', 'max-age=600'];
  const old = [...modified(-1000), ...date(0)];
  for (const maxSeconds of [0, 5])
    assert.deepEqual(reported(said, ruled({ maxSeconds })), [
      ...[maxSeconds, 'rule-max', 'ttl-rule-max', 600, 'max-age'],
    ]);
  assert.deepEqual(reported(said, ruled({ maxSeconds: 600 })), [
    600,
    'max-age',
    'max-age',
    undefined,
    undefined,
  ]);
  assert.deepEqual(reported(said, { maxFreshSeconds: 10 }), [10, 'max-fresh', 'max-fresh', 600, 'max-age']);
  assert.deepEqual(reported(said, { ...ruled({ maxSeconds: 20 }), maxFreshSeconds: 10 })[1], 'max-fresh');
  assert.deepEqual(reported(said, { ...ruled({ overrideSeconds: 20 }), maxFreshSeconds: 10 }), [
    ...[10, 'max-fresh', 'max-fresh', 20, 'rule'],
  ]);
  assert.deepEqual(reported(old, ruled({ minSeconds: 200 })), [
    200,
    'rule-min',
    'ttl-rule',
    100,
    'heuristic',
  ]);
  assert.deepEqual(reported(old, { maxFreshSeconds: 10 }), [10, 'max-fresh', 'max-fresh', 100, 'heuristic']);
});

test('an error without freshness of its own is kept for the time the operator set, if that status is listed', () => {
  const policy = { ...defaultPolicy, negativeSeconds: 10 };
  assert.equal(lifetime([], { ...policy, negativeSeconds: 1 }, { status: 404 }), 1);
  assert.equal(from([], defaultPolicy, { status: 404 }), 'none');
  assert.equal(lifetime([], policy, { status: 404 }), 10);
  assert.equal(from([], policy, { status: 404 }), 'negative');
  assert.equal(lifetime([], policy, { status: 503 }), 0);
  assert.equal(lifetime([], { ...policy, negativeStatuses: new Set([503]) }, { status: 503 }), 10);
  assert.equal(lifetime(['Cache-Control', 'max-age=0'], policy, { status: 404 }), 0);
  assert.equal(lifetime([], policy), 0);
  assert.equal(lifetime([], defaultPolicy, { status: 404 }), 0);
});

const age = (fields: RawFields, more: Partial<StoredHead> = {}, atMs = nowMs) =>
  currentAgeSeconds(head(fields, more), atMs);

test('RFC 9111 5.1: of Age the first value of the first line counts, and what is no number is ignored', () => {
  for (const [lines, seconds] of [
    [['7200'], 7200],
    [['abc'], 0],
    [['-7200'], 0],
    [['7200.0'], 0],
    [[''], 0],
    [['7200;a=b'], 0],
    [['7200, 0'], 7200],
    [['0 , 7200'], 0],
    [[', 7200'], 0],
    [['7200 , 0'], 7200],
    [['7200', '0'], 7200],
    [['0', '7200'], 0],
    [['abc', '7200'], 0],
    [['2147483647'], 2 ** 31 - 1],
    [['2147483648'], 2 ** 31],
    [['99999999999'], 2 ** 31],
  ] as const) {
    assert.equal(age(lines.flatMap((line) => ['Age', line])), seconds, lines.join(' / '));
  }
});

test('RFC 9111 4.2.3: age is the greater of apparent age and Age with the delay, and the time it was here', () => {
  assert.equal(age([...date(-100)]), 100);
  assert.equal(age([...date(100)]), 0);
  assert.equal(age([...date(-100), 'Age', '30']), 100);
  assert.equal(age([...date(-10), 'Age', '30']), 30);
  assert.equal(age(['Age', '30'], { requestedAtMs: nowMs - 5000 }), 35);
  assert.equal(age([...date(-100), 'Age', '98'], { requestedAtMs: nowMs - 5000 }, nowMs + 10_000), 113);
  assert.equal(age(['Date', 'foo', 'Age', '1'], {}, nowMs + 2999), 3);
  assert.equal(
    age(['Date', 'foo'], { requestedAtMs: nowMs + 900, receivedAtMs: nowMs + 900 }, nowMs + 1899),
    0,
  );
});

test('RFC 9111 4.2.3: a response of this very second has no age', () => {
  assert.equal(age([...date(0)], { requestedAtMs: nowMs + 900, receivedAtMs: nowMs + 950 }, nowMs + 999), 0);
});

test('RFC 9111 4.2.3: age never falls as time goes on, and a clock that was set back takes none of it away', () => {
  const seconds = fc.integer({ min: -100_000, max: 100_000 });
  fc.assert(
    fc.property(
      seconds,
      fc.nat(100_000),
      fc.nat(100_000),
      seconds,
      seconds,
      (dated, aged, delay, one, other) => {
        const fields = [...date(dated), 'Age', String(aged)];
        const more = { requestedAtMs: nowMs - delay };
        const at = (offset: number) => age(fields, more, nowMs + offset * 1000);
        const [first = 0, last = 0] = [one, other].sort((a, b) => a - b);
        assert.ok(at(first) <= at(last));
        assert.ok(at(first) >= aged);
        assert.equal(at(Math.max(0, last)), at(0) + Math.max(0, last));
      },
    ),
  );
});
