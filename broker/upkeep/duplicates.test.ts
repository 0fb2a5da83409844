import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { now, OpenBroker, Source, scratch } from '../testing/topic.ts';

test('a site under a new Gatherer: the older summaries of its URLs are found, and deleted on request', async () => {
  await using folder = await scratch();
  await using before = await Source.open(join(folder.path, 'before'));
  await using after = await Source.open(join(folder.path, 'after'));
  await before.folder.store.apply([
    before.put('a', 'red', now() - 100),
    before.put('b', 'green', now() - 100),
  ]);
  await after.folder.store.apply([after.put('a', 'red', now()), after.put('c', 'blue', now())]);
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), [before.url, after.url]);
  topic.broker.start();
  await topic.fresh();
  const { store } = topic.folder;
  const dry = await topic.broker.duplicates({ isDryRun: true });
  assert.deepEqual(
    dry.urls.map(({ url, newest, older }) => [url, newest.oid, older.map(({ oid }) => oid)]),
    [['http://example.org/a', after.oid('a'), [before.oid('a')]]],
  );
  assert.deepEqual([dry.deleted, dry.isCut, store.count], [0, false, 4]);
  assert.equal(topic.broker.duplicateUrls, 1);
  assert.equal((await topic.broker.duplicates({ isDryRun: false })).deleted, 1);
  await topic.fresh();
  assert.equal(store.count, 3, 'it does not come back with the next round');
  assert.deepEqual(await topic.urls('red'), ['a']);
  assert.deepEqual((await topic.broker.duplicates({ isDryRun: true })).urls, []);
  assert.equal(topic.broker.duplicateUrls, 0);
  const isWhole = async () => assert.equal((await topic.broker.check({ repair: false })).store?.faults, 0);
  await isWhole();
  await store.forgetTombstones(-1);
  await isWhole();
});
