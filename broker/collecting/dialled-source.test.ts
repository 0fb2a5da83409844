import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { OpenBroker, scratch } from '../testing/topic.ts';

test('a round requested of a stopped source fails at once', async () => {
  await using folder = await scratch();
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), ['ws://127.0.0.1:1']);
  const { collector } = topic.broker;
  await collector[Symbol.asyncDispose]();
  await assert.rejects(collector.collectNow(), { name: 'AbortError' });
});
