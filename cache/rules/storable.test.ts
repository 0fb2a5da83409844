import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fields, type RawFields } from './fields/fields.ts';
import { httpDate } from './fields/http-date.ts';
import { defaultPolicy } from './policy.ts';
import { type StorableRequest, storability } from './storable.ts';

const receivedAtMs = Date.UTC(2026, 0, 1);
const date = (offset: number) => httpDate(receivedAtMs / 1000 + offset);
const url = 'http://a.example/x?y';
const etag = ['ETag', '"e"'];

function decide(
  fields: RawFields,
  {
    status = 200,
    ...asked
  }: { status?: number; asked?: RawFields } & Partial<Omit<StorableRequest, 'fields'>> = {},
  policy = defaultPolicy,
) {
  const { asked: requestFields = [], ...request } = asked;
  return storability(
    { method: 'GET', url, ...request, fields: new Fields(requestFields) },
    { status, fields: new Fields(fields), receivedAtMs },
    policy,
  );
}

const ruleOf = (...asked: Parameters<typeof decide>) => {
  const { store, rule } = decide(...asked);
  assert.equal(store, rule.startsWith('stored'));
  return rule;
};
const maxAge = (more = '') => ['Cache-Control', `max-age=3600${more}`];

test('RFC 9111 3: what is fresh is stored, and what can be validated', () => {
  assert.deepEqual(decide(maxAge()), { store: true, rule: 'stored', omit: new Set() });
  assert.equal(ruleOf(['Expires', date(100), 'Date', date(0)]), 'stored');
  assert.equal(ruleOf(['Last-Modified', date(-10_000), 'Date', date(0)]), 'stored');
  assert.equal(ruleOf(etag), 'stored-to-validate');
  assert.equal(ruleOf(['Cache-Control', 'no-cache', ...etag]), 'stored-to-validate');
  assert.equal(ruleOf(maxAge(', no-cache')), 'nothing-to-reuse');
  assert.equal(ruleOf(['Expires', '0', ...etag], { status: 599 }), 'stored-to-validate');
});

test('RFC 9111 3: what is never fresh and cannot be validated is not worth storing', () => {
  assert.equal(ruleOf([]), 'nothing-to-reuse');
  assert.equal(ruleOf(['Cache-Control', 'max-age=0']), 'nothing-to-reuse');
  assert.equal(ruleOf(['Expires', '0']), 'nothing-to-reuse');
  assert.equal(ruleOf(['Cache-Control', 'max-age=0, stale-while-revalidate=9']), 'stored-to-validate');
  assert.equal(ruleOf(['Cache-Control', 'max-age=0, stale-if-error=9']), 'stored-to-validate');
  assert.equal(ruleOf(['Cache-Control', 'max-age=0, stale-if-error=1']), 'stored-to-validate');
  assert.equal(ruleOf(['Cache-Control', 'max-age=1']), 'stored');
  assert.equal(ruleOf(['Cache-Control', 'max-age=0, stale-if-error=0']), 'nothing-to-reuse');
});

test('RFC 9111 3: a method other than GET and POST has no response that is stored, HEAD included', () => {
  for (const method of ['HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'get', 'FOO'])
    assert.equal(ruleOf(maxAge(), { method }), 'method', method);
});

test('RFC 9110 9.3.3: the answer to a POST is stored with explicit freshness under its own URL', () => {
  const post = { method: 'POST', hasContent: true };
  const here = ['Content-Location', 'x?y'];
  assert.equal(ruleOf([...maxAge(), ...here], post), 'stored');
  assert.equal(ruleOf([...maxAge(), 'Content-Location', url], post), 'stored');
  assert.equal(ruleOf(['Expires', date(100), ...here], post), 'stored');
  assert.equal(ruleOf(maxAge(), post), 'post-elsewhere');
  assert.equal(ruleOf([...maxAge(), 'Content-Location', '/x'], post), 'post-elsewhere');
  assert.equal(ruleOf([...maxAge(), 'Content-Location', 'http://['], post), 'post-elsewhere');
  assert.equal(ruleOf([...maxAge(), ...here, ...here], post), 'post-elsewhere');
  assert.equal(ruleOf([...here, ...etag, 'Last-Modified', date(-9999)], post), 'post-elsewhere');
  for (const status of [200, 201, 299])
    assert.equal(ruleOf([...maxAge(), ...here], { ...post, status }), 'stored', String(status));
  for (const status of [206, 300, 404])
    assert.equal(ruleOf([...maxAge(), ...here], { ...post, status }), 'post-elsewhere', String(status));
});

test('RFC 9110 9.3.1: a GET with content has a response that only it may get', () => {
  assert.equal(ruleOf(maxAge(), { hasContent: true }), 'request-content');
});

test('RFC 9111 3: any final status is stored with explicit freshness', () => {
  for (const status of [
    200, 203, 204, 206, 299, 301, 302, 303, 307, 308, 400, 404, 410, 499, 500, 502, 503, 504, 599,
  ])
    assert.equal(ruleOf(maxAge(), { status }), 'stored', String(status));
});

test('RFC 9111 3: interim responses, and those that belong to one request only, are not stored', () => {
  for (const status of [100, 101, 103, 304, 407, 412, 416, 417, 425, 426])
    assert.equal(ruleOf([...maxAge(), ...etag], { status }), 'status-never-stored', String(status));
});

test('RFC 6585 3 to 6: 428, 429, 431 and 511 are not stored', () => {
  for (const status of [428, 429, 431, 511])
    assert.equal(ruleOf(maxAge(), { status }), 'status-never-stored');
});

test('RFC 9111 3: without explicit freshness only default-cacheable statuses and what is public are stored', () => {
  const fields = ['Last-Modified', date(-10_000), 'Date', date(0)];
  for (const status of [201, 202, 302, 403, 502, 503, 504, 599]) {
    assert.equal(ruleOf(fields, { status }), 'not-cacheable', String(status));
    assert.equal(ruleOf([...fields, 'Cache-Control', 'public'], { status }), 'stored', String(status));
  }
});

test('RFC 9111 5.2.2.3: must-understand refuses an unknown status, and voids no-store for a known one', () => {
  assert.equal(ruleOf(maxAge(', must-understand'), { status: 599 }), 'must-understand');
  assert.equal(ruleOf(maxAge(', no-store, must-understand'), { status: 599 }), 'must-understand');
  assert.equal(ruleOf(maxAge(', no-store, must-understand')), 'stored-understood');
  assert.equal(ruleOf(maxAge(', private, must-understand')), 'private');
  const known = [
    200, 201, 202, 203, 204, 205, 206, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406, 408,
    409, 410, 411, 413, 414, 415, 421, 422, 451, 500, 501, 502, 503, 504, 505,
  ];
  const never = [304, 407, 412, 416, 417, 425, 426, 428, 429, 431, 511];
  for (let status = 200; status < 600; status++) {
    const expected = known.includes(status)
      ? 'stored'
      : never.includes(status)
        ? 'status-never-stored'
        : 'must-understand';
    assert.equal(ruleOf(maxAge(', must-understand'), { status }), expected, String(status));
  }
});

test('RFC 9111 5.2.1.5: a response to a request with no-store is not stored', () => {
  assert.equal(ruleOf(maxAge(), { asked: ['cache-control', 'No-Store'] }), 'request-no-store');
});

test('RFC 9111 5.2.2.5: no-store is obeyed in any case and beside any other directive', () => {
  assert.equal(ruleOf(maxAge(', No-StOrE')), 'response-no-store');
  assert.equal(ruleOf([...maxAge(), 'Cache-Control', 'no-store', 'Expires', date(100)]), 'response-no-store');
  assert.equal(ruleOf(['Cache-Control', 'no-store=1', ...etag]), 'response-no-store');
});

test('RFC 9111 5.2.2.7: a private response is not stored, and of a qualified one the named fields are left out', () => {
  assert.equal(ruleOf(maxAge(', private')), 'private');
  assert.equal(ruleOf(maxAge(', private, public')), 'private');
  assert.equal(ruleOf(maxAge(', private=""')), 'private');
  assert.deepEqual(decide(maxAge(', private="Set-Cookie, X-User"')), {
    store: true,
    rule: 'stored',
    omit: new Set(['set-cookie', 'x-user']),
  });
});

test('RFC 9111 3.5: a response to an authorized request is stored only when it says that it may be', () => {
  const asked = ['Authorization', 'Basic x'];
  assert.equal(ruleOf([...maxAge(), 'Expires', date(100)], { asked }), 'authorization');
  for (const allowing of ['public', 'must-revalidate', 's-maxage=9'])
    assert.equal(ruleOf(maxAge(`, ${allowing}`), { asked }), 'stored', allowing);
  assert.equal(ruleOf(maxAge(', proxy-revalidate'), { asked }), 'authorization');
});

test('RFC 9111 4.1: what varies on all is not stored', () => {
  assert.equal(ruleOf([...maxAge(), 'Vary', '*']), 'vary-all');
  assert.equal(ruleOf([...maxAge(), 'Vary', 'Foo', 'Vary', 'Bar, *']), 'vary-all');
  assert.equal(ruleOf([...maxAge(), 'Vary', 'Foo']), 'stored');
});

test('RFC 9213 2.2: a targeted field decides on storing, alone', () => {
  const cdn = (value: string) => ['CDN-Cache-Control', value];
  assert.equal(ruleOf([...cdn('no-store'), ...maxAge(), 'Expires', date(100)]), 'response-no-store');
  assert.equal(ruleOf([...cdn('private'), ...maxAge()]), 'private');
  assert.equal(ruleOf([...cdn('max-age=9'), 'Cache-Control', 'no-store, private']), 'stored');
  assert.equal(ruleOf([...cdn('no-cache'), ...maxAge(), ...etag]), 'stored-to-validate');
  assert.equal(ruleOf([...cdn('no-store=?0, max-age=9')]), 'stored');
  assert.equal(ruleOf([...cdn('max-age=9, &&'), 'Cache-Control', 'no-store']), 'response-no-store');
  assert.equal(ruleOf([...cdn('max-age="9"'), 'Cache-Control', 'no-store']), 'response-no-store');
  assert.deepEqual(decide([...cdn('max-age=9, private="A"')]), {
    store: true,
    rule: 'stored',
    omit: new Set(['a']),
  });
  assert.equal(ruleOf([...cdn('max-age=9, private=A')]), 'private');
  assert.deepEqual(decide([...cdn('max-age=9, no-cache="A"')]).omit, new Set(['a']));
  assert.deepEqual(decide(maxAge(', no-cache="A"')).omit, new Set());
  assert.equal(
    ruleOf([...cdn('max-age=9, private=("A")'), 'Cache-Control', 'no-store']),
    'response-no-store',
  );
  assert.equal(ruleOf([...cdn('max-age=9, private=1'), 'Cache-Control', 'no-store']), 'response-no-store');
  assert.equal(ruleOf([...cdn('max-age=9, x=("A" 1)')]), 'stored');
  assert.equal(
    ruleOf([...cdn('max-age=9'), 'Cache-Control', 'public'], { asked: ['Authorization', 'x'] }),
    'authorization',
  );
});

test('a rule of the operator stores what says nothing of itself, but nothing that is private', () => {
  const policy = { ...defaultPolicy, ttlRules: [{ pattern: /./, overrideSeconds: 60 }] };
  assert.equal(ruleOf([], {}, policy), 'stored');
  assert.equal(ruleOf([], { status: 500 }, policy), 'stored');
  assert.equal(ruleOf(['Cache-Control', 'max-age=0'], {}, policy), 'stored');
  assert.equal(ruleOf(['Cache-Control', 'private'], {}, policy), 'private');
  assert.equal(ruleOf(['Cache-Control', 'no-store'], {}, policy), 'response-no-store');
});

test('a cookie is kept for others only with a response that says that it is fresh or for all', () => {
  const cookie = ['Set-Cookie', 'session=1'];
  const public_ = ['Cache-Control', 'max-age=60, public'];
  const shared = [
    ...[maxAge(), public_, maxAge(', s-maxage=60'), ['CDN-Cache-Control', 'max-age=60']],
    ...[
      ['Expires', date(60)],
      ['Cache-Control', 'public', 'Last-Modified', date(-1e6)],
    ],
  ];
  const open = [
    ...[etag, ['Last-Modified', date(-1e6)], ['Cache-Control', 'max-age=0', ...etag]],
    ...[
      ['Cache-Control', 'max-age=60, no-cache', ...etag],
      ['Expires', '0', ...etag],
      ['CDN-Cache-Control', 'no-cache', ...etag],
      ['Cache-Control', 's-maxage=0', ...etag],
    ],
  ];
  const reported = (fields: RawFields, sharedCookies: 'explicit' | 'public' | 'never' | 'strip') => {
    const { rule, omit } = decide([...fields, ...cookie], {}, { ...defaultPolicy, sharedCookies });
    return `${rule}${omit.has('set-cookie') ? ' without' : ''}`;
  };
  for (const fields of shared) assert.equal(reported(fields, 'explicit'), 'stored', fields.join());
  for (const fields of open)
    assert.equal(reported(fields, 'explicit'), 'stored-without-cookie without', fields.join());
  assert.equal(reported(maxAge(), 'public'), 'set-cookie');
  for (const fields of shared.slice(1, 4)) assert.equal(reported(fields, 'public'), 'stored', fields.join());
  for (const fields of [...shared, ...open]) {
    assert.equal(reported(fields, 'never'), 'set-cookie', fields.join());
    assert.equal(reported(fields, 'strip'), 'stored-without-cookie without', fields.join());
  }
  // A statement on the cookie itself applies in any case.
  for (const mode of ['explicit', 'public', 'never', 'strip'] as const) {
    assert.equal(reported(maxAge(', private="set-cookie"'), mode), 'stored without');
    assert.equal(reported(maxAge(', no-cache="set-cookie"'), mode), 'stored');
    assert.equal(reported(maxAge(', private'), mode), 'private');
    assert.equal(ruleOf(maxAge(), {}, { ...defaultPolicy, sharedCookies: mode }), 'stored');
  }
  const ttlRules = [{ pattern: /./, overrideSeconds: 60 }];
  const overridden = decide(cookie, {}, { ...defaultPolicy, ttlRules });
  assert.deepEqual([overridden.rule, [...overridden.omit]], ['stored-without-cookie', ['set-cookie']]);
});

test('a setting that leaves no lifetime is named as the cause, and not what the response says', () => {
  const ruled = (rule: object) => ({ ...defaultPolicy, ttlRules: [{ pattern: /./, ...rule }] });
  assert.equal(ruleOf(maxAge(), {}, ruled({ maxSeconds: 0 })), 'never-fresh-by-rule');
  assert.equal(ruleOf(maxAge(), {}, ruled({ overrideSeconds: 0 })), 'never-fresh-by-rule');
  assert.equal(ruleOf(maxAge(), {}, { ...defaultPolicy, maxFreshSeconds: 0 }), 'never-fresh-by-max');
  assert.equal(ruleOf([...maxAge(), ...etag], {}, ruled({ maxSeconds: 0 })), 'stored-never-fresh');
  assert.equal(ruleOf(maxAge(', no-cache'), {}, ruled({ maxSeconds: 0 })), 'nothing-to-reuse');
  assert.equal(ruleOf(['Cache-Control', 'max-age=0'], {}, ruled({ maxSeconds: 0 })), 'nothing-to-reuse');
});

test('a cookie that keeps a default or a guess from a response is named as the cause', () => {
  const cookie = ['Set-Cookie', 's=1'];
  const standing = [{ pattern: /./, defaultSeconds: 300 }];
  for (const sharedCookies of ['explicit', 'public', 'never', 'strip'] as const) {
    const policy = { ...defaultPolicy, sharedCookies, ttlRules: standing };
    assert.equal(ruleOf([], {}, policy), 'stored');
    assert.equal(ruleOf(cookie, {}, policy), 'cookie-not-guessed', sharedCookies);
  }
  assert.equal(ruleOf(cookie), 'nothing-to-reuse');
  assert.equal(ruleOf([...cookie, 'Cache-Control', 'max-age=0']), 'nothing-to-reuse');
});
