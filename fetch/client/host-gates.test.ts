import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../../kernel/index.ts';
import { HostGates } from './host-gates.ts';
import { TokenBucket } from './token-bucket.ts';

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

test('a request that is cancelled while waiting leaves no place taken', async () => {
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
  // Now the delay of `a` is the cause of the wait.
  const stop = new AbortController();
  const delayed = gates.enter('a', courtesy, stop.signal);
  await settled();
  stop.abort(new Error('called off'));
  await assert.rejects(delayed, /called off/);
  clock.advance(10);
  (await gates.enter('a', courtesy, never))();
  (await gates.enter('b', courtesy, never))();
});

test('a rate holds for all hosts and clients together, beside the delay of each host', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        perSecond: fc.integer({ min: 5, max: 100 }),
        burst: fc.integer({ min: 1, max: 3 }),
        delayMs: fc.integer({ min: 0, max: 50 }),
        hosts: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 25 }),
      }),
      async ({ perSecond, burst, delayMs, hosts }) => {
        const clock = new ManualClock(0);
        const rate = new TokenBucket({ clock, perSecond, burst });
        const clients = [new HostGates(clock, 3, rate), new HostGates(clock, 3, rate)];
        const starts: { host: string; at: number }[] = [];
        const work = hosts.map(async (host, n) => {
          const leave = await (clients[n % 2] as HostGates).enter(
            `${host}${n % 2}`,
            { delayMs, perHost: 2 },
            never,
          );
          starts.push({ host: `${host}${n % 2}`, at: clock.now() });
          await clock.sleep(20);
          leave();
        });
        await advanceUntilDone(clock, Promise.all(work));
        starts.sort((one, other) => one.at - other.at);
        // A tick of the test's clock is 5 ms.
        for (const [from, first] of starts.entries())
          for (const [more, last] of starts.slice(from).entries())
            assert.ok(more + 1 <= burst + ((last.at - first.at + 5) * perSecond) / 1000 + 1e-6);
        for (const host of new Set(hosts.map((name, n) => `${name}${n % 2}`))) {
          const own = starts.filter((start) => start.host === host).map(({ at }) => at);
          for (const [n, at] of own.slice(1).entries()) assert.ok(at - (own[n] as number) >= delayMs - 5);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('a request that is cancelled while waiting for the rate leaves no place taken', async () => {
  const clock = new ManualClock(0);
  const gates = new HostGates(clock, 1, new TokenBucket({ clock, perSecond: 1, burst: 1 }));
  const courtesy = { delayMs: 0, perHost: 1 };
  (await gates.enter('a', courtesy, never))();
  const stop = new AbortController();
  const waiting = gates.enter('b', courtesy, stop.signal);
  await settled();
  stop.abort(new Error('called off'));
  await assert.rejects(waiting, /called off/);
  const next = gates.enter('b', courtesy, never);
  await advanceUntilDone(clock, next);
  (await next)();
});

test('a host that is held while a request to it waits for the rate gets no request', async () => {
  const clock = new ManualClock(0);
  const gates = new HostGates(clock, 10, new TokenBucket({ clock, perSecond: 1, burst: 1 }));
  const courtesy = { delayMs: 0, perHost: 5 };
  (await gates.enter('a', courtesy, never))();
  const waiting = gates.enter('a', courtesy, never);
  await settled();
  gates.hold('a', 5000);
  await advanceUntilDone(clock, waiting);
  assert.ok(clock.now() >= 5000, String(clock.now()));
  (await waiting)();
});

async function advanceUntilDone(clock: ManualClock, work: Promise<unknown>): Promise<void> {
  let over = false;
  const done = work.then(() => {
    over = true;
  });
  for (let tick = 0; !over; tick += 1) {
    assert.ok(tick < 20_000, 'some request never got its turn');
    await settled();
    clock.advance(5);
  }
  await done;
}

test('a recently used host is not forgotten, however many others there are', async () => {
  const clock = new ManualClock(0);
  const gates = new HostGates(clock, 5);
  const visit = async (host: string, delayMs: number) => {
    const leave = await gates.enter(host, { delayMs, perHost: 1 }, never);
    leave();
  };
  await visit('slow', 10_000);
  for (let at = 0; at < 2000; at += 1) await visit(`h${at}`, 0);
  let entered = false;
  const again = visit('slow', 10_000).then(() => {
    entered = true;
  });
  await settled();
  assert.equal(entered, false);
  clock.advance(10_000);
  await again;
});
