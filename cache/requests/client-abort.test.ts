import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abortSignalOf, ClientAbort } from './client-abort.ts';

test('listeners are called once, in order, and not after their removal', () => {
  const leaving = new ClientAbort();
  const reported: number[] = [];
  const listeners = [1, 2, 3].map((number) => () => void reported.push(number));
  for (const listener of [...listeners, ...listeners]) leaving.addEventListener('abort', listener);
  leaving.removeEventListener('abort', listeners[1] as () => void);
  assert.equal(leaving.aborted, false);
  leaving.leave('gone');
  leaving.leave('again');
  assert.deepEqual([reported, leaving.aborted, leaving.reason], [[1, 3], true, 'gone']);
});

test('without a reason it is that of an AbortController', () => {
  const [leaving, controller] = [new ClientAbort(), new AbortController()];
  leaving.leave();
  controller.abort();
  assert.equal((leaving.reason as Error).name, controller.signal.reason.name);
});

test('one that leaves with others leaves with the first of them, also when that has left', () => {
  const [one, other] = [new ClientAbort(), new AbortController()];
  const both = ClientAbort.withAny([one, other.signal]);
  other.abort('other');
  one.leave('one');
  assert.equal(both.reason, 'other');
  assert.equal(ClientAbort.withAny([new ClientAbort(), one]).reason, 'one');
});

test('an AbortSignal of it aborts with it, and an AbortSignal stays what it is', () => {
  const leaving = new ClientAbort();
  const signal = abortSignalOf(leaving);
  assert.equal(abortSignalOf(signal), signal);
  leaving.leave('gone');
  assert.deepEqual([signal.aborted, signal.reason], [true, 'gone']);
  assert.equal(abortSignalOf(leaving).reason, 'gone');
});
