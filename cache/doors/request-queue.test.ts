import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RequestQueue } from './request-queue.ts';

test('requests of one connection never overlap, keep their order, and waiting ones are counted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 20 }), async (lengths) => {
      const room = { count: 0, max: 10 };
      const turns = new RequestQueue(room);
      const done: number[] = [];
      let inside = 0;
      const taken = lengths.filter((ticks, at) =>
        turns.take(async () => {
          inside += 1;
          assert.equal(inside, 1);
          for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
          inside -= 1;
          done.push(at);
        }),
      );
      assert.equal(taken.length, Math.min(lengths.length, 11));
      assert.equal(room.count, Math.max(0, taken.length - 1));
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(done, [...taken.keys()]);
      assert.deepEqual([room.count, turns.isBusy], [0, false]);
    }),
  );
});

test('requests that wait on a closed connection never run', async () => {
  const room = { count: 0, max: 1000 };
  const turns = new RequestQueue(room);
  let ran = 0;
  let goOn: () => void = () => {};
  turns.take(
    () =>
      new Promise<void>((resolve) => {
        goOn = resolve;
      }),
  );
  for (let times = 0; times < 256; times += 1)
    assert.equal(
      turns.take(async () => {
        ran += 1;
      }),
      true,
    );
  assert.equal(
    turns.take(async () => {}),
    false,
  );
  turns.drop();
  goOn();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([ran, room.count, turns.isBusy], [0, 0, false]);
});
