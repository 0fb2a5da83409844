import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskQueue } from './task-queue.ts';

test('tasks run one at a time, in the order of the calls', async () => {
  const queue = new TaskQueue();
  const seen: string[] = [];
  const release: (() => void)[] = [];
  const results = ['first', 'second', 'third'].map((name) =>
    queue.run(async () => {
      seen.push(`${name} begins`);
      await new Promise<void>((resolve) => release.push(resolve));
      seen.push(`${name} ends`);
      return name;
    }),
  );
  for (const result of results) {
    while (release.length === 0) await Promise.resolve();
    release.shift()?.();
    await result;
  }
  assert.deepEqual(await Promise.all(results), ['first', 'second', 'third']);
  assert.deepEqual(
    seen,
    ['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
});

test('a task that throws rejects for its caller alone, and the next task runs', async () => {
  const queue = new TaskQueue();
  const failed = queue.run(() => Promise.reject(new Error('the disk is full')));
  const thrown = queue.run(() => {
    throw new Error('at once');
  });
  const next = queue.run(async () => 'done');
  await assert.rejects(failed, /the disk is full/);
  await assert.rejects(thrown, /at once/);
  assert.equal(await next, 'done');
});

test('waiting for the end covers the tasks so far, also failed ones', async () => {
  const queue = new TaskQueue();
  await queue.ended();
  let ended = 0;
  const failed = queue.run(async () => {
    ended++;
    throw new Error('no');
  });
  void queue.run(async () => {
    ended++;
  });
  await queue.ended();
  assert.equal(ended, 2);
  await assert.rejects(failed, /no/);
});
