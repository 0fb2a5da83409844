import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { now, OpenBroker, Source, scratch } from '../../../broker/testing/topic.ts';
import { registeredBroker } from './registered-broker.ts';

const words = ['tide', 'harbour', 'quay', 'lock', 'mooring'];

test('a Broker counts its types, languages, size and backlog, and asks its index once for all that did not change', {
  timeout: 60_000,
}, async () => {
  await using folder = await scratch();
  await using source = await Source.open(join(folder.path, 'source'));
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), [
    { url: source.url, token: 'secret-token' },
  ]);
  const { broker, engine } = topic;
  let searches = 0;
  const search = engine.search.bind(engine);
  engine.search = (request) => {
    searches++;
    return search(request);
  };
  const registered = registeredBroker(broker, 0);
  const say = async () => new Map([...(await registered.attributes()), ...registered.links()]);
  assert.deepEqual(
    [registered.objects(), (await say()).get('Object-Types'), (await say()).get('Topic')],
    [0, '', ''],
  );

  const put = (from: number, to: number, type = 'HTML') =>
    Array.from({ length: to - from }, (_, at) =>
      source.put(`${from + at}`, `The ${words[at % words.length]} of the port`, now(), [
        ['Type-2', type],
        ['Language', at % 4 === 0 ? 'de' : 'en'],
      ]),
    );
  await source.folder.store.apply(put(0, 40));
  broker.start();
  await topic.fresh();
  searches = 0;
  const counted = await say();
  assert.deepEqual(
    ['Object-Types', 'Languages', 'Index-Backlog', 'Index-Engine'].map((name) => counted.get(name)),
    ['HTML 40', 'en 30\nde 10', '0', 'flexsearch'],
  );
  assert.equal(counted.get('Size-in-Bytes'), String(topic.folder.store.bodyBytes));
  for (const word of ['tide', 'harbour', 'port']) assert.ok(counted.get('Topic')?.includes(word), word);
  assert.ok(Number(counted.get('Last-Modification-Time')) >= now() - 60);
  const place = source.url.replace('ws:', 'http:');
  assert.equal(counted.get('Collects-From'), `live ${place} ${source.folder.identity.serverId}`);
  assert.ok(![...counted.values()].join().includes('secret-token'));
  for (let times = 0; times < 10; times++) await say();
  assert.equal(searches, 1);

  // The index stops, and the store goes on.
  const apply = engine.apply.bind(engine);
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  engine.apply = async (...step) => {
    await held;
    return apply(...step);
  };
  for (let at = 0; at < 10_000; at += 1000) await topic.folder.store.apply(put(100 + at, 1100 + at));
  assert.equal((await say()).get('Index-Backlog'), '10000');
  go();
  await broker.indexer.reached(topic.folder.store.lsn);
  assert.equal((await say()).get('Index-Backlog'), '0');

  const lost = new Promise<void>((resolve) => {
    const stop = registered.onChange?.(() => {
      if (!registered.links().some(([, value]) => value.startsWith('broken '))) return;
      stop?.();
      resolve();
    });
  });
  await source[Symbol.asyncDispose]();
  await lost;
  assert.match((await say()).get('Collects-From') ?? '', /^broken http:/);
});
