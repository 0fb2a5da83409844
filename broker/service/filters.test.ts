import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { isGarnerError } from '../../kernel/index.ts';
import { now, OpenBroker, Source, scratch, serveOnWire } from '../testing/topic.ts';

test('only matching objects are collected, and a changed filter changes the set at the next round', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  const { store } = one.folder;
  await store.apply([one.put('a', 'red fox'), one.put('b', 'red hen'), one.put('c', 'green fox')]);
  const path = join(folder.path, 'broker');
  const collected = async (query?: string) => {
    const filter = query === undefined ? {} : { filter: { query } };
    await using topic = await OpenBroker.open(path, [{ url: one.url, ...filter }]);
    topic.broker.start();
    await topic.fresh();
    assert.deepEqual(topic.broker.collector.status[0]?.filter, filter.filter ?? null);
    return topic.urls('*');
  };
  assert.deepEqual(await collected('red'), ['a', 'b']);
  assert.deepEqual(await collected('fox'), ['a', 'c'], 'another filter');
  assert.deepEqual(await collected(), ['a', 'b', 'c'], 'none');
  assert.deepEqual(await collected('red'), ['a', 'b'], 'and one again');
});

test('objects that leave a filter are removed, and objects that enter it are collected', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await one.folder.store.apply([one.put('a', 'red'), one.put('b', 'green')]);
  const sources = [{ url: one.url, filter: { query: 'red' } }];
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), sources);
  topic.broker.start();
  await topic.fresh();
  await one.folder.store.apply([one.put('a', 'green', now() + 1), one.put('b', 'red', now() + 1)]);
  await topic.fresh();
  assert.deepEqual(await topic.urls('*'), ['b']);
});

test("a scheme is forced for every round or for one; an unusable one leaves the source's state unchanged", async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await one.folder.store.apply([one.put('a', 'alpha')]);
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), [one.url], { scheme: 'signature' });
  topic.broker.start();
  const { collector } = topic.broker;
  assert.deepEqual((await collector.collectNow())[0]?.schemes, ['signature']);
  await one.folder.store.apply([one.put('b', 'beta')]);
  assert.deepEqual((await collector.collectNow(one.url, 'log'))[0]?.schemes, ['log']);
  await assert.rejects(
    collector.collectNow(one.url, 'handle-snapshot'),
    (error) => isGarnerError(error) && /does not show an update in place/.test(error.message),
  );
  assert.deepEqual([collector.status[0]?.state, collector.status[0]?.error], ['ok', null]);
  await topic.fresh();
  assert.deepEqual(await topic.urls('*'), ['a', 'b']);
});

test('a source has its own name before its first round has ended', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await using silent = await serveOnWire(one.folder.identity, 'gatherer', {});
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), [silent.url]);
  topic.broker.start();
  await assert.rejects(topic.broker.collector.collectNow());
  const [status] = topic.broker.collector.status;
  assert.deepEqual([status?.name, status?.lastLearnedAt], ['site', null]);
});
