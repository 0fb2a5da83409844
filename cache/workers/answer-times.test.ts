import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../../kernel/index.ts';
import { RequestStatistics } from '../reporting/request-statistics.ts';
import { AnswerTimes } from './answer-times.ts';

test('the sums of a worker are counted as if each answer had been reported', () => {
  const hits = fc.array(
    fc.tuple(
      fc.nat(20),
      fc.nat(100_000).map((n) => n / 8),
    ),
  );
  fc.assert(
    fc.property(hits, (reported) => {
      const clock = new ManualClock(0);
      using each = new RequestStatistics(clock, () => 0);
      using added = new RequestStatistics(clock, () => 0);
      const times = new AnswerTimes(() => 0);
      for (const [count, ms] of reported) {
        each.hits(count, ms);
        times.hits(count, ms);
      }
      for (const [count, ms] of times.taken()) added.hits(count, ms);
      const [one, other] = [each.read().latency.fromHere, added.read().latency.fromHere];
      assert.deepEqual(other.counts, one.counts);
      assert.ok(Math.abs(other.sumMs - one.sumMs) <= 1e-9 * one.sumMs);
      assert.deepEqual(times.taken(), []);
    }),
  );
});
