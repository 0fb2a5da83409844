import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../../kernel/index.ts';
import { TokenBucket } from './token-bucket.ts';

test('between any two moments no more begins than the burst and the rate allow, in the order of the calls', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 10 }),
      fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 80 }),
      (perSecond, burst, pauses) => {
        const clock = new ManualClock(0);
        const bucket = new TokenBucket({ clock, perSecond, burst });
        const begins = pauses.map((ms) => {
          clock.advance(ms);
          return bucket.take();
        });
        for (const [first, from] of begins.entries())
          for (const [last, to] of begins.slice(first).entries()) {
            assert.ok(to >= from);
            // A millionth for the arithmetic of fractions.
            assert.ok(last + 1 <= burst + ((to - from) * perSecond) / 1000 + 1e-6);
          }
      },
    ),
  );
});

test('a rested bucket gives its burst at once and no more than that', () => {
  const clock = new ManualClock(0);
  const bucket = new TokenBucket({ clock, perSecond: 10, burst: 3 });
  const take = (times: number) => Array.from({ length: times }, () => bucket.take());
  assert.deepEqual(take(5), [0, 0, 0, 100, 200]);
  clock.advance(60_000);
  assert.deepEqual(take(4), [60_000, 60_000, 60_000, 60_100]);
});

test('used tokens are owed, up to a limit', () => {
  const clock = new ManualClock(0);
  const bucket = new TokenBucket({ clock, perSecond: 100, burst: 1, maxDebtMs: 5000 });
  assert.equal(bucket.debtMs, 0);
  bucket.take(200);
  assert.equal(bucket.debtMs, 2000);
  clock.advance(1500);
  assert.equal(bucket.debtMs, 500);
  bucket.take(1e9);
  assert.equal(bucket.debtMs, 5000);
  clock.advance(5000);
  assert.equal(bucket.debtMs, 0);
});

test('waiting ends with the signal, and counts once however many wait', async () => {
  const clock = new ManualClock(0);
  const bucket = new TokenBucket({ clock, perSecond: 1, burst: 1 });
  await bucket.waitUntil(bucket.take());
  assert.equal(bucket.waitedMs, 0);
  const stop = new AbortController();
  const [second, third] = [bucket.take(), bucket.take()];
  const waits = [bucket.waitUntil(second), bucket.waitUntil(third, stop.signal)];
  const refused = assert.rejects(waits[1] as Promise<void>, /called off/);
  clock.advance(400);
  assert.equal(bucket.waitedMs, 400, 'while they wait');
  stop.abort(new Error('called off'));
  await refused;
  clock.advance(600);
  await waits[0];
  assert.equal(bucket.waitedMs, 1000);
});

test('a clock that is set back makes no taker wait for the difference', () => {
  let now = 1e9;
  const clock = { now: () => now, sleep: async () => {} };
  const bucket = new TokenBucket({ clock, perSecond: 1, burst: 1 });
  bucket.take(2);
  assert.equal(bucket.debtMs, 2000);
  now -= 3_600_000;
  assert.equal(bucket.debtMs, 2000);
  assert.equal(bucket.take() - now, 2000);
});
