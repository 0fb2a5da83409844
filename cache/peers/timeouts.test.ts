import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../../kernel/index.ts';
import { Timeouts } from './timeouts.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('each task that has not ended in time is called once, and no other', async () => {
  const times = fc.record({ begins: fc.nat(30), lasts: fc.nat(30) });
  await fc.assert(
    fc.asyncProperty(fc.array(times, { maxLength: 20 }), async (all) => {
      const clock = new ManualClock(0);
      using lateness = new Timeouts(clock, 10);
      const called = all.map(() => 0);
      const ends: (() => void)[] = [];
      for (let now = 0; now < 100; now++) {
        for (const [n, { begins, lasts }] of all.entries()) {
          if (begins + lasts === now && lasts < 10) ends[n]?.();
          if (begins === now)
            ends[n] = lateness.begin(() => {
              assert.equal(clock.now(), begins + 10);
              called[n] = (called[n] ?? 0) + 1;
            });
          if (begins === now && lasts === 0) ends[n]?.();
        }
        await turn();
        clock.advance(1);
        await turn();
      }
      assert.deepEqual(
        called,
        all.map(({ lasts }) => (lasts < 10 ? 0 : 1)),
      );
    }),
    { numRuns: 30 },
  );
});

test('after disposal no task is called', async () => {
  const clock = new ManualClock(0);
  const lateness = new Timeouts(clock, 10);
  let called = 0;
  lateness.begin(() => called++);
  await turn();
  lateness[Symbol.dispose]();
  await turn();
  clock.advance(100);
  await turn();
  assert.equal(called, 0);
});
