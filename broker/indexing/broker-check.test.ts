import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { HttpClient } from '../../fetch/index.ts';
import { ManualClock, systemClock } from '../../kernel/index.ts';
import { OpenBroker, Source, scratch } from '../testing/topic.ts';

/** A site whose pages are all missing. */
async function emptySite() {
  const server = createServer((_, response) => {
    response.statusCode = 410;
    response.end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
  };
}

test('a check reports no fault for objects missing on purpose, nor for views', async () => {
  await using folder = await scratch();
  await using site = await emptySite();
  await using source = await Source.open(join(folder.path, 'source'));
  const names = ['kept', 'blocked', 'deleted', 'dead'];
  await source.folder.store.apply(names.map((name) => source.put(name, 'harbour')));
  const clock = new ManualClock(systemClock.now());
  await using http = new HttpClient({ userAgent: 'Garner/test', allowHosts: [site.url], retries: 0 });
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), [source.url], {
    ...{ clock, checksLinks: true },
    fetch: (request) => http.fetch({ ...request, url: site.url }),
  });
  const { broker } = topic;
  await broker.views.add([{ name: 'harbours', query: 'harbour' }]);
  broker.start();
  await topic.fresh();
  await broker.views.upToDate();
  const store = topic.folder.store;
  const block = async (name: string) => {
    const object = await store.describe(source.oid(name));
    assert.ok(object !== undefined);
    const { oid, url, digest } = object;
    await broker.delete([{ oid, url, digest, isForGood: false, reason: '', by: 'test', at: 0 }]);
  };
  await block('blocked');
  await source.folder.store.apply([{ kind: 'delete', oid: source.oid('deleted') }]);
  await broker.checkLink(source.oid('dead'));
  clock.advance(3600_000);
  assert.equal((await broker.checkLink(source.oid('dead'))).state, 'gone');
  await topic.fresh();
  const whole = async () => {
    await broker.indexer.reached(store.lsn);
    const { store: rows, index, ok } = await broker.check({ repair: false });
    assert.deepEqual([rows?.sample, index?.sample, ok], [[], [], true]);
    return index?.indexed;
  };
  assert.deepEqual(await topic.urls('harbour'), ['kept']);
  assert.equal(await whole(), 1);
  // Without its tombstone, only its block identifies a blocked object.
  await store.forgetTombstones(-1);
  await broker.views.upToDate();
  assert.equal(await whole(), 1);
  const { ok } = await broker.check({ repair: true });
  assert.equal(ok, true);
  await topic.fresh();
  assert.deepEqual(await topic.urls('harbour'), ['kept'], 'and repair brings nothing back');
});
