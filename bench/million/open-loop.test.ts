import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../kernel/index.ts';
import { arrivalTimes, openLoop, type Stopwatch } from './open-loop.ts';

/** A clock that advances only by waiting and by work. */
class SlowTime implements Stopwatch {
  at = 1000;
  now(): number {
    return this.at;
  }
  async sleep(ms: number): Promise<void> {
    await this.turn();
    this.at += ms;
  }
  async turn(): Promise<void> {
    for (let tick = 0; tick < 10; tick++) await undefined;
  }
}

test('arrivals keep their rate and are the same for the same seed', () => {
  const times = arrivalTimes(100, 100, seededRandom(1));
  assert.ok(Math.abs(times.length - 10_000) < 400, `${times.length}`);
  assert.deepEqual(times, arrivalTimes(100, 100, seededRandom(1)));
  assert.ok(times.every((time, at) => time < 100_000 && time >= (times[at - 1] ?? 0)));
});

test('the time of a task that had to wait for another counts from its due time', async () => {
  const time = new SlowTime();
  // Due every 10 ms, each keeps the machine busy for 25: the n-th is 15 ms later than the one before it.
  const latencies = await openLoop(
    [0, 10, 20, 30],
    async () => {
      time.at += 25;
    },
    time,
  );
  assert.deepEqual(latencies, [25, 40, 55, 70]);
});

test('tasks that are quick enough do not wait', async () => {
  const time = new SlowTime();
  const latencies = await openLoop(
    [5, 50, 90],
    async () => {
      time.at += 2;
    },
    time,
  );
  assert.deepEqual(latencies, [2, 2, 2]);
});

test('the load ends with the error of a task', async () => {
  const broken = async (index: number) => {
    if (index === 1) throw new Error('broken');
  };
  await assert.rejects(openLoop([0, 1, 2], broken, new SlowTime()), /broken/);
});
