import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../kernel/index.ts';
import { HostGates } from './host-gates.ts';

const never = new AbortController().signal;
setMaxListeners(0, never);
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('requests to one host keep their distance and number, and none is forgotten', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        delayMs: fc.integer({ min: 0, max: 50 }),
        perHost: fc.integer({ min: 1, max: 4 }),
        connections: fc.integer({ min: 1, max: 5 }),
        jobs: fc.array(
          fc.record({ host: fc.constantFrom('a', 'b', 'c'), lasts: fc.integer({ min: 0, max: 80 }) }),
          { maxLength: 25 },
        ),
      }),
      async ({ delayMs, perHost, connections, jobs }) => {
        const clock = new ManualClock(0);
        const gates = new HostGates(clock, connections);
        const running = new Map<string, number>();
        const starts = new Map<string, number[]>();
        let all = 0;
        const work = jobs.map(async ({ host, lasts }) => {
          const leave = await gates.enter(host, { delayMs, perHost }, never);
          running.set(host, (running.get(host) ?? 0) + 1);
          all += 1;
          assert.ok((running.get(host) ?? 0) <= perHost && all <= connections);
          starts.set(host, [...(starts.get(host) ?? []), clock.now()]);
          await clock.sleep(lasts);
          running.set(host, (running.get(host) ?? 0) - 1);
          all -= 1;
          leave();
        });
        let over = false;
        const done = Promise.all(work).then(() => {
          over = true;
        });
        for (let tick = 0; !over; tick += 1) {
          assert.ok(tick < 20_000, 'some request never got its turn');
          await settled();
          clock.advance(5);
        }
        await done;
        for (const times of starts.values())
          times.forEach((time, index) => {
            if (index > 0) assert.ok(time - (times[index - 1] as number) >= delayMs);
          });
        assert.equal([...starts.values()].flat().length, jobs.length);
      },
    ),
    { numRuns: 40 },
  );
});

test('a held host waits, the others do not', async () => {
  const clock = new ManualClock(0);
  const gates = new HostGates(clock, 10);
  const courtesy = { delayMs: 0, perHost: 5 };
  (await gates.enter('a', courtesy, never))();
  gates.hold('a', 1000);
  let entered = false;
  const waiting = gates.enter('a', courtesy, never).then((leave) => {
    entered = true;
    leave();
  });
  (await gates.enter('b', courtesy, never))();
  clock.advance(999);
  await settled();
  assert.equal(entered, false);
  clock.advance(1);
  await waiting;
});

test('whoever is called off while waiting leaves no place taken', async () => {
  const clock = new ManualClock(0);
  const gates = new HostGates(clock, 1);
  const courtesy = { delayMs: 10, perHost: 1 };
  const leave = await gates.enter('a', courtesy, never);
  for (const host of ['a', 'b']) {
    const stop = new AbortController();
    const waiting = gates.enter(host, courtesy, stop.signal);
    await settled();
    stop.abort(new Error('called off'));
    await assert.rejects(waiting, /called off/);
  }
  leave();
  // Now the delay of `a` is what is waited for.
  const stop = new AbortController();
  const delayed = gates.enter('a', courtesy, stop.signal);
  await settled();
  stop.abort(new Error('called off'));
  await assert.rejects(delayed, /called off/);
  clock.advance(10);
  (await gates.enter('a', courtesy, never))();
  (await gates.enter('b', courtesy, never))();
});
