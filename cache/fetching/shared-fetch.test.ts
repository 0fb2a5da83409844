import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AbortSource } from '../requests/client-abort.ts';
import type { Fetched } from './fetching.ts';
import { SharedFetch } from './shared-fetch.ts';

/** A fetch whose content notes when it is let go. */
function heldFetch() {
  let answer = (_: Fetched): void => {};
  const released: true[] = [];
  const aborted: unknown[] = [];
  const run = (signal: AbortSource): Promise<Fetched> => {
    signal.addEventListener('abort', () => aborted.push(signal.reason));
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  const shared = new SharedFetch(run, () => undefined);
  const fetched = { kind: 'response', content: { release: () => released.push(true) } } as unknown as Fetched;
  return { shared, aborted, released, answer: () => answer(fetched) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('one of two who leaves takes nothing from the other', async () => {
  const { shared, aborted, released, answer } = heldFetch();
  const leaving = new AbortController();
  const staying = shared.wait(new AbortController().signal);
  const left = shared.wait(leaving.signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  answer();
  assert.equal((await staying).kind, 'response');
  await turn();
  assert.deepEqual([aborted, released], [[], []]);
});

test('when all have left a fetch is broken off, and what comes all the same is let go', async () => {
  const { shared, aborted, released, answer } = heldFetch();
  const leaving = new AbortController();
  const left = [shared.wait(leaving.signal), shared.wait(leaving.signal)];
  leaving.abort(new Error('gone'));
  for (const each of left) await assert.rejects(each, /gone/);
  answer();
  await turn();
  assert.deepEqual([aborted.length, released.length], [1, 1]);
});

test('when one has left and the other takes nothing, what comes is let go', async () => {
  const { shared, released, answer } = heldFetch();
  const leaving = new AbortController();
  const left = shared.wait(leaving.signal);
  const declining = shared.wait(new AbortController().signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  answer();
  await declining;
  await turn();
  assert.deepEqual(released, []);
  shared.decline();
  await turn();
  assert.deepEqual(released, [true]);
});

test('one who takes nothing lets nothing go that another takes', async () => {
  const { shared, released, answer } = heldFetch();
  const both = [shared.wait(new AbortController().signal), shared.wait(new AbortController().signal)];
  answer();
  await Promise.all(both);
  shared.decline();
  await turn();
  assert.deepEqual(released, []);
});
