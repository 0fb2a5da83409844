import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock, Nap, systemClock } from './clock.ts';
import { defineErrors, failure, isGarnerError } from './errors.ts';
import { defineEvent } from './events.ts';
import { seededRandom, systemRandom } from './random.ts';

test('an error has its table’s text, and keeps its cause', () => {
  const errors = defineErrors({
    TEST_FULL: {
      message: ({ path }: { path: string }) => `${path} is full`,
      hint: () => 'make room',
      exit: 7,
      retry: 'later',
      status: 507,
    },
    TEST_PLAIN: { message: () => 'plain', hint: () => 'nothing', exit: 1, retry: 'never' },
  });
  const cause = new Error('ENOSPC');
  const error = failure(errors.TEST_FULL, { path: '/x' }, cause);
  assert.deepEqual(
    [error.message, error.hint, error.code, error.exit, error.retry, error.status, error.cause],
    ['/x is full', 'make room', 'TEST_FULL', 7, 'later', 507, cause],
  );
  assert.equal(failure(errors.TEST_PLAIN, {}).status, 500);
  assert.ok(isGarnerError(error, errors.TEST_FULL) && !isGarnerError(error, errors.TEST_PLAIN));
  assert.ok(!isGarnerError(cause));
});

test('a manual clock wakes the sleepers that are due, in order, and an abort ends a sleep', async () => {
  const clock = new ManualClock(1000);
  const woken: number[] = [];
  const sleeps = [30, 10, 20].map((ms) => clock.sleep(ms).then(() => woken.push(ms)));
  clock.advance(20);
  await sleeps[2];
  assert.deepEqual([woken, clock.now()], [[10, 20], 1020]);
  clock.advance(10);
  await Promise.all(sleeps);
  const stop = new AbortController();
  const sleeping = clock.sleep(5, stop.signal);
  stop.abort(new Error('enough'));
  await assert.rejects(sleeping, /enough/);
  await assert.rejects(clock.sleep(5, stop.signal), /enough/);
});

test('a nap ends with its time, at a wake, or when its signal aborts', async () => {
  const clock = new ManualClock();
  const stop = new AbortController();
  const nap = new Nap(clock, stop.signal);
  nap.wake();
  const slept = nap.sleep(20);
  clock.advance(20);
  await slept;
  const woken = nap.sleep(20);
  nap.wake();
  await woken;
  const stopped = nap.sleep(20);
  stop.abort();
  await stopped;
  await nap.sleep(20);
});

test('the system clock sleeps and can be woken by an abort', async () => {
  const before = systemClock.now();
  await systemClock.sleep(1);
  assert.ok(systemClock.now() >= before);
  const stop = new AbortController();
  const sleeping = systemClock.sleep(1e12, stop.signal);
  stop.abort(new Error('enough'));
  await assert.rejects(sleeping, /enough/);
});

test('a seeded source repeats itself, a system source does not', () => {
  const draw = (seed: number) => {
    const random = seededRandom(seed);
    return [random.next(), ...random.bytes(4)];
  };
  assert.deepEqual(draw(1), draw(1));
  assert.notDeepEqual(draw(1), draw(2));
  assert.notDeepEqual(systemRandom.bytes(16), systemRandom.bytes(16));
  const value = systemRandom.next();
  assert.ok(value >= 0 && value < 1);
});

test('an event reaches its subscribers until they stop', () => {
  const event = defineEvent<{ n: number }>('garner:kernel:test');
  const seen: number[] = [];
  event.publish({ n: 0 });
  const stop = event.subscribe(({ n }) => seen.push(n));
  event.publish({ n: 1 });
  stop();
  event.publish({ n: 2 });
  assert.deepEqual(seen, [1]);
});
