import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cacheStatus } from './cache-status.ts';
import { Fields, type RawFields } from './fields/fields.ts';
import { appendVia, loops, viaNames } from './fields/via.ts';
import { type Serving, servedFields, storedFields } from './served-fields.ts';

const date = 'Wed, 10 Jun 2026 10:00:00 GMT';
const receivedAtMs = Date.UTC(2026, 5, 10, 10);

const served = (fields: RawFields, serving: Serving) =>
  servedFields(
    {
      url: 'http://a.example/',
      status: 200,
      reason: 'OK',
      fields,
      requestedAtMs: 0,
      receivedAtMs: 0,
      selecting: [],
      authorized: false,
    },
    serving,
  );

test('RFC 9111 3.1: fields of the connection are not stored', () => {
  const fields = ['Date', date, 'Connection', 'Foo', 'Foo', '1', 'Transfer-Encoding', 'chunked', 'Bar', '2'];
  assert.deepEqual(storedFields(fields, receivedAtMs), ['Date', date, 'Bar', '2']);
});

test('RFC 9111 5.2.2.7: fields that private names are not stored', () => {
  const fields = [
    'Date',
    date,
    'Cache-Control',
    'max-age=1, private="Foo, bar"',
    'FOO',
    '1',
    'Bar',
    '2',
    'Baz',
    '3',
  ];
  assert.deepEqual(storedFields(fields, receivedAtMs), [...fields.slice(0, 4), 'Baz', '3']);
});

test('RFC 9110 6.6.1: a response without Date is stored with the time it came in', () => {
  assert.deepEqual(storedFields(['Foo', '1'], receivedAtMs), ['Foo', '1', 'Date', date]);
  assert.deepEqual(storedFields(['date', 'x'], receivedAtMs), ['date', 'x']);
});

test('RFC 9111 5.1: a stored response is served with its age as it is now, and with its own Date', () => {
  assert.deepEqual(served(['Age', '5', 'Date', date, 'AGE', '6'], { ageSeconds: 7.9 }), [
    'Date',
    date,
    'Age',
    '7',
  ]);
  assert.deepEqual(served([], { ageSeconds: -1 }), ['Age', '0']);
});

test('an answer at first hand keeps the Age it came with', () => {
  const fields = ['Age', '5', 'Cache-Control', 'no-cache="foo"', 'Foo', '1'];
  assert.deepEqual(served(fields, { ageSeconds: undefined }), fields);
});

test('RFC 9111 5.2.2.4: fields that no-cache names are served only after validation', () => {
  const fields = [
    'Cache-Control',
    'no-cache="Set-Cookie, b", max-age=9',
    'set-cookie',
    'x',
    'B',
    '1',
    'C',
    '2',
  ];
  assert.deepEqual(served(fields, { ageSeconds: 1 }), [...fields.slice(0, 2), 'C', '2', 'Age', '1']);
  const validated = served(fields, { ageSeconds: 1, validated: true });
  assert.deepEqual(validated, [...fields.slice(0, 2), 'B', '1', 'C', '2', 'Age', '1'], 'but no cookie');
  const whole = ['Cache-Control', 'no-cache', 'Foo', '1'];
  assert.deepEqual(served(whole, { ageSeconds: 1 }), [...whole, 'Age', '1']);
});

test('RFC 9110 15.3.7: a part is served with its Content-Range and not with the length of the whole', () => {
  const part = { first: 0, last: 4, total: 10 };
  assert.deepEqual(served(['Content-Length', '10', 'ETag', '"a"'], { ageSeconds: 0, part }), [
    ...['ETag', '"a"', 'Content-Range', 'bytes 0-4/10', 'Age', '0'],
  ]);
});

test('fields for the operator’s own caches are left out on demand', () => {
  const fields = [
    'Surrogate-Key',
    'a',
    'surrogate-control',
    'max-age=9',
    'xkey',
    'b',
    'Cache-Tag',
    'c',
    'Foo',
    '1',
  ];
  assert.deepEqual(served(fields, { ageSeconds: 0, withoutSurrogate: true }), ['Foo', '1', 'Age', '0']);
  assert.deepEqual(served(fields, { ageSeconds: 0 }), [...fields, 'Age', '0']);
});

test('RFC 9110 7.6.3: a cache puts itself last in Via', () => {
  assert.deepEqual(appendVia(['Foo', '1'], '1.1', 'garner-1'), ['Foo', '1', 'Via', '1.1 garner-1']);
  const before = ['via', '1.0 a', 'Foo', '1', 'Via', '1.1 b (x, y)'];
  assert.deepEqual(appendVia(before, '1.0', 'c'), ['Foo', '1', 'Via', '1.0 a, 1.1 b (x, y), 1.0 c']);
});

test('RFC 9110 7.6.3: Via is read without protocols and comments', () => {
  const lines = ['1.0 fred, HTTP/1.1 p.example.net:8080 (a, (1.1 b\\)), c)', ' ,x, 1.1\tlast'];
  assert.deepEqual(viaNames(lines), ['fred', 'p.example.net:8080', 'last']);
});

test('RFC 9110 7.6.3: a request that has been here, or has come too far, runs in circles', () => {
  const circles = (...lines: string[]) =>
    loops(new Fields(lines.flatMap((line) => ['Via', line])), 'Garner-1');
  assert.equal(circles('1.1 other, 1.1 garner-1 (x)'), true);
  assert.equal(circles('1.1 other', '1.1 GARNER-1'), true);
  assert.equal(circles('1.1 garner-12, 1.1 x (1.1 garner-1, y)'), false);
  assert.equal(circles(), false);
  assert.equal(circles(Array.from({ length: 32 }, (_, n) => `1.1 c${n}`).join()), false);
  assert.equal(circles(Array.from({ length: 33 }, (_, n) => `1.1 c${n}`).join()), true);
});

test('RFC 9211 2: a cache states what it did with a request', () => {
  assert.equal(cacheStatus('Garner', { hit: true, ttl: 376 }), 'Garner; hit; ttl=376');
  assert.equal(
    cacheStatus('Garner', { fwd: 'stale', fwdStatus: 304, ttl: -12.5, stored: true, collapsed: true }),
    'Garner; fwd=stale; fwd-status=304; ttl=-12; stored; collapsed',
  );
  assert.equal(cacheStatus('a', { hit: true, fwd: 'miss' }), 'a; hit', 'RFC 9211 2.2: not both');
  assert.equal(cacheStatus('a', { hit: false, stored: false, key: undefined }), 'a');
  assert.equal(
    cacheStatus('a', { detail: 'sibling-hit', key: 'http://a/"\\' }),
    'a; key="http://a/\\"\\\\"; detail=sibling-hit',
  );
});

test('RFC 8941 3.3: names, keys and details are such as every reader of structured fields takes', () => {
  const token = String.raw`[A-Za-z*][!#$%&'*+.^_\x60|~0-9A-Za-z:/-]*`;
  const quoted = String.raw`"(?:[ !#-\[\]-~]|\\["\\])*"`;
  const member = new RegExp(`^(${token}|${quoted})(; key=${quoted}; detail=(${token}|${quoted}))$`);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string(), (name, key, detail) => {
      assert.match(cacheStatus(name, { key, detail }), member);
    }),
  );
  assert.equal(cacheStatus('a b', { key: 'x'.repeat(2049), detail: '\r\n' }), '"a b"; detail="??"');
});

test('property: what is served never bears two ages', () => {
  const name = fc.constantFrom('Age', 'AGE', 'Date', 'Foo');
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string())), fc.nat(), (fields, ageSeconds) => {
      assert.deepEqual(new Fields(served(fields.flat(), { ageSeconds })).lines('age'), [String(ageSeconds)]);
    }),
  );
});
