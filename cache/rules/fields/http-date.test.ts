import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { httpDate, parseHttpDate } from './http-date.ts';

const now = Date.UTC(2026, 0, 1) / 1000;
const at2050 = Date.UTC(2050, 7, 18, 2, 1, 18) / 1000;

test('RFC 9110 5.6.7: the three forms name the same instant', () => {
  const instant = Date.UTC(1994, 10, 6, 8, 49, 37) / 1000;
  assert.equal(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT', now), instant);
  assert.equal(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT', now), instant);
  assert.equal(parseHttpDate('Sun Nov  6 08:49:37 1994', now), instant);
  assert.equal(parseHttpDate('Sun Nov 16 08:49:37 1994', now), instant + 10 * 86_400);
});

test('RFC 9110 5.6.7: a two-digit year lies at most fifty years ahead', () => {
  assert.equal(parseHttpDate('Thursday, 18-Aug-50 02:01:18 GMT', now), at2050);
  assert.equal(
    parseHttpDate('Saturday, 18-Aug-76 02:01:18 GMT', now),
    Date.UTC(2076, 7, 18, 2, 1, 18) / 1000,
  );
  assert.equal(
    parseHttpDate('Thursday, 18-Aug-77 02:01:18 GMT', now),
    Date.UTC(1977, 7, 18, 2, 1, 18) / 1000,
  );
});

test('RFC 9110 5.6.7: letters in another case are read', () => {
  for (const text of [
    'THU, 18 Aug 2050 02:01:18 GMT',
    'Thu, 18 AUG 2050 02:01:18 GMT',
    'Thu, 18 Aug 2050 02:01:18 gMT',
  ])
    assert.equal(parseHttpDate(text, now), at2050);
});

test('RFC 9110 5.6.7: a leap second is the one after', () => {
  assert.equal(parseHttpDate('Sat, 31 Dec 2016 23:59:60 GMT', now), Date.UTC(2017, 0, 1) / 1000);
});

test('RFC 9111 5.3: all else is no date', () => {
  for (const text of [
    '',
    '0',
    '-1',
    'foo',
    'Thu, 18 Aug 2050 02:01:18 UTC',
    'Thu, 18 Aug 2050 02:01:18 AEST',
    'Thu, 18 Aug 2050 02:01:18 +0000',
    'Thu, 18 Aug 2050 02:01:18',
    'Thu, 18 Aug 50 02:01:18 GMT',
    'Thu 18 Aug 2050 02:01:18 GMT',
    'Thu, 18  Aug  2050 02:01:18 GMT',
    'Thu, 18-Aug-2050 02:01:18 GMT',
    'Thu, 18 Aug 2050 02.01.18 GMT',
    'Thu, 18 Aug 2050 2:01:18 GMT',
    'Thu, 8 Aug 2050 02:01:18 GMT',
    'Thu, 31 Feb 2050 02:01:18 GMT',
    'Thu, 00 Aug 2050 02:01:18 GMT',
    'Thu, 18 Aug 2050 24:01:18 GMT',
    'Thu, 18 Aug 2050 02:60:18 GMT',
    'Thu, 18 Aug 2050 02:01:61 GMT',
    'Thu, 18 Foo 2050 02:01:18 GMT',
    '2050-08-18T02:01:18Z',
    'Thu, 18 Aug 2050 02:01:18 GMT, Thu, 18 Aug 2050 02:01:18 GMT',
  ]) {
    assert.equal(parseHttpDate(text, now), undefined, text);
  }
});

test('what is printed is read back, and other text never throws', () => {
  fc.assert(
    fc.property(fc.integer({ min: -60_000_000_000, max: 253_402_300_799 }), fc.string(), (instant, text) => {
      assert.equal(parseHttpDate(httpDate(instant), now), instant);
      parseHttpDate(text, now);
    }),
  );
});
