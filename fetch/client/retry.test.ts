import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../kernel/index.ts';
import { backoffMs, httpDate, parseHttpDate, retryAfterMs } from './retry.ts';

test('HTTP dates are read in all three forms and printed in the first', () => {
  for (const text of [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
  ])
    assert.equal(parseHttpDate(text), 784_111_777, text);
  assert.equal(httpDate(784_111_777), 'Sun, 06 Nov 1994 08:49:37 GMT');
  for (const text of [undefined, '', '0', '-1', 'yesterday', '12345', 'Sun, 06 Nov 1894 08:49:37 GMT'])
    assert.equal(parseHttpDate(text), undefined, text);
});

test('Retry-After is seconds or a date', () => {
  const now = 784_111_777_000;
  assert.equal(retryAfterMs('120', now), 120_000);
  assert.equal(retryAfterMs(' 0 ', now), 0);
  assert.equal(retryAfterMs('Sun, 06 Nov 1994 08:49:47 GMT', now), 10_000);
  assert.equal(retryAfterMs('Sun, 06 Nov 1994 08:49:27 GMT', now), 0);
  for (const text of [undefined, '', '-5', '1.5', 'soon', '99999999999999'])
    assert.equal(retryAfterMs(text, now), undefined, text);
});

test('backoff doubles, varies and has an end', () => {
  const random = seededRandom(7);
  for (let attempt = 1; attempt <= 40; attempt += 1) {
    const full = Math.min(500 * 2 ** (attempt - 1), 60_000);
    const ms = backoffMs(attempt, random);
    assert.ok(ms >= full / 2 && ms < full, `${attempt}: ${ms}`);
  }
  assert.notEqual(backoffMs(3, random), backoffMs(3, random));
});
