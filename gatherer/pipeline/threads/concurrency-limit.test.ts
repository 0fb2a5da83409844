import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConcurrencyLimit } from './concurrency-limit.ts';

/** Names of the started jobs, in order. */
function asks(
  turns: ConcurrencyLimit,
  names: readonly string[],
): { readonly begun: string[]; readonly all: Promise<void>[] } {
  const begun: string[] = [];
  const all = names.map((name) => turns.take().then(() => void begun.push(name)));
  return { begun, all };
}

const hours = 3_600_000;

test('one at a time, first come, first served, while no job waits for long', async () => {
  const turns = new ConcurrencyLimit({ width: 3, strainMs: hours });
  const { begun, all } = asks(turns, ['a', 'b', 'c']);
  await all[0];
  assert.deepEqual(begun, ['a']);
  turns.leave();
  await all[1];
  assert.deepEqual(begun, ['a', 'b']);
  turns.leave();
  await all[2];
  turns.leave();
  await turns.take();
  turns.leave();
});

test('a job that waits too long is admitted beside the others, up to the width', async () => {
  const turns = new ConcurrencyLimit({ width: 2, strainMs: 0 });
  const { begun, all } = asks(turns, ['a', 'b', 'c']);
  await Promise.all(all.slice(0, 2));
  assert.deepEqual(begun, ['a', 'b']);
  turns.leave();
  await all[2];
  assert.deepEqual(begun, ['a', 'b', 'c']);
});

test('after a rest the limit is one again, and earlier waits do not count', async () => {
  const turns = new ConcurrencyLimit({ width: 2, strainMs: 0 });
  await Promise.all(asks(turns, ['a', 'b']).all);
  turns.leave();
  turns.leave();
  turns.rest();
  await turns.take();
  let second = false;
  const waits = turns.take().then(() => {
    second = true;
  });
  await Promise.resolve();
  assert.equal(second, false);
  await waits;
  turns.leave();
  turns.leave();
});
