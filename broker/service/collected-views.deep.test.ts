import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Source as LearnedFrom, schemes } from '../../awareness/index.ts';
import type { Oid } from '../../soif/index.ts';
import { now, OpenBroker, Source, scratch, serveOnWire } from '../testing/topic.ts';

async function held(store: Pick<LearnedFrom, 'snapshot'>): Promise<Map<Oid, string>> {
  await using snapshot = await store.snapshot();
  const found = new Map<Oid, string>();
  for await (const { oid, digest } of snapshot.scan()) found.set(oid, Buffer.from(digest).toString('hex'));
  return found;
}

/** A site, a Broker that collects it and has views, and the addresses of these views. */
async function publicBroker(path: string) {
  const site = await Source.open(join(path, 'site'));
  const topic = await OpenBroker.open(join(path, 'topic'), [site.url]);
  topic.broker.start();
  const served = await serveOnWire(topic.folder.identity, 'broker', topic.broker.verbs());
  return {
    site,
    topic,
    url: served.url,
    [Symbol.asyncDispose]: async () => {
      await served[Symbol.asyncDispose]();
      await topic[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

test('another Broker collects several views of one Broker, and removes objects that leave them', async () => {
  await using folder = await scratch();
  await using provider = await publicBroker(folder.path);
  const { site, topic, url } = provider;
  const { store } = site.folder;
  await store.apply([site.put('a', 'red fox'), site.put('b', 'red owl'), site.put('c', 'green hen')]);
  await topic.fresh();
  await topic.broker.views.add([
    { name: 'red', query: 'red' },
    { name: 'foxes', query: 'fox' },
  ]);
  const path = join(folder.path, 'reader');
  const addresses = [`${url}#view=red`, `${url}#view=foxes`];
  {
    await using reader = await OpenBroker.open(path, addresses);
    reader.broker.start();
    await reader.fresh();
    assert.deepEqual(await reader.urls('*'), ['a', 'b']);
    const { status } = reader.broker.collector;
    assert.deepEqual(
      status.map(({ name, state, filter }) => [name, state, filter]),
      [
        ['topic: red', 'ok', { view: 'red' }],
        ['topic: foxes', 'ok', { view: 'foxes' }],
      ],
    );
    const objects = await Promise.all(status.map(({ serverId }) => reader.broker.objectsOf(serverId ?? '')));
    assert.deepEqual(objects, [2, 1]);
    await store.apply([site.put('a', 'green fox', now() + 1), site.put('c', 'green fox', now() + 1)]);
    await topic.fresh();
    await reader.fresh();
    assert.deepEqual(await reader.urls('*'), ['a', 'b', 'c']);
    await store.apply([{ kind: 'delete', oid: site.oid('a') }, site.put('b', 'blue owl', now() + 2)]);
    await topic.fresh();
    await reader.fresh();
    assert.deepEqual(await reader.urls('*'), ['c']);
    assert.deepEqual(
      (await reader.broker.collector.collectNow()).map(({ schemes: used }) => used),
      [[], []],
      'nothing to send',
    );
  }
  // The same copies are there after a restart.
  await using reader = await OpenBroker.open(path, addresses);
  reader.broker.start();
  await reader.fresh();
  assert.deepEqual(await reader.urls('*'), ['c']);
  assert.equal(reader.folder.store.partitions.size, 2);
});

test('a hint comes when the view changes', async () => {
  await using folder = await scratch();
  await using provider = await publicBroker(folder.path);
  const { site, topic, url } = provider;
  await topic.broker.views.add([{ name: 'foxes', query: 'fox' }]);
  await using reader = await OpenBroker.open(join(folder.path, 'reader'), [`${url}#view=foxes`]);
  reader.broker.start();
  await reader.fresh();
  const learned = new Promise<void>((resolve) => reader.folder.store.onChange(() => resolve()));
  await site.folder.store.apply([site.put('a', 'a fox')]);
  await topic.fresh();
  await learned;
  assert.equal(reader.folder.store.count, 1);
});

test('an unknown view cannot be collected', async () => {
  await using folder = await scratch();
  await using provider = await publicBroker(folder.path);
  await using reader = await OpenBroker.open(join(folder.path, 'reader'), [`${provider.url}#view=nothing`]);
  reader.broker.start();
  await assert.rejects(reader.fresh(), /no view nothing/);
});

test('by every scheme, after any changes, a copy of a view equals the view', async () => {
  await using folder = await scratch();
  await using provider = await publicBroker(folder.path);
  const { site, topic, url } = provider;
  await topic.broker.views.add([{ name: 'foxes', query: 'fox' }]);
  await using reader = await OpenBroker.open(join(folder.path, 'reader'), [`${url}#view=foxes`]);
  reader.broker.start();
  const usable = schemes.filter(({ name }) => !['handle-snapshot', 'latest-stamp'].includes(name));
  const change = fc.record({
    n: fc.nat(30),
    words: fc.constantFrom('fox', 'red fox', 'owl', undefined),
  });
  let time = now();
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(...usable.map(({ name }) => name)),
      async (changes, scheme) => {
        time++;
        await site.folder.store.apply(
          changes.map(({ n, words }) =>
            words === undefined
              ? { kind: 'delete' as const, oid: site.oid(`${n}`) }
              : site.put(`${n}`, words, time),
          ),
        );
        await topic.fresh();
        // A scheme that the store refuses is not a fault; the next round collects by another.
        await reader.broker.collector.collectNow(`${url}#view=foxes`, scheme).catch(() => undefined);
        await reader.broker.collector.collectNow();
        assert.deepEqual(await held(reader.folder.store), await held(topic.broker.views.source('foxes')));
      },
    ),
    { numRuns: Number(process.env.GARNER_TEST_RUNS ?? 15) },
  );
  const used = new Set(reader.broker.collector.status[0]?.rounds.flatMap(({ schemes: names }) => names));
  assert.ok(used.size >= 3, [...used].join());
});
