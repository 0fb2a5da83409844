import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sourceState } from '../events.ts';
import { OpenBroker, Source, scratch } from '../testing/topic.ts';

test('a round requested of a stopped source fails at once', async () => {
  await using folder = await scratch();
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), ['ws://127.0.0.1:1']);
  const { collector } = topic.broker;
  await collector[Symbol.asyncDispose]();
  await assert.rejects(collector.collectNow(), { name: 'AbortError' });
});

test('a source that starts after its Broker is waited for, and one that goes away is down', async () => {
  await using folder = await scratch();
  const place = join(folder.path, 'source');
  const first = await Source.open(place);
  const { port } = first;
  await first[Symbol.asyncDispose]();
  const states: string[] = [];
  let look = () => {};
  const stop = sourceState.subscribe(({ state, error }) => {
    states.push(error === undefined ? state : `${state}: ${/ECONNREFUSED/.test(error) ? 'refused' : error}`);
    look();
  });
  const reached = (state: string) =>
    new Promise<void>((resolve) => {
      look = () => {
        if (states.includes(state)) resolve();
      };
      look();
    });
  try {
    await using topic = await OpenBroker.open(join(folder.path, 'broker'), [`ws://127.0.0.1:${port}/`]);
    topic.broker.start();
    await reached('connecting: refused');
    {
      await using _ = await Source.open(place, port);
      await reached('ok');
      assert.deepEqual(states, ['connecting: refused', 'ok']);
    }
    await reached('down: refused');
  } finally {
    stop();
  }
});
