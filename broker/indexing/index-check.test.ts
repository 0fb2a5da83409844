import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SearchEngine } from '../engines/model/search-engine.ts';
import { OpenBroker, Source, scratch } from '../testing/topic.ts';
import { checkIndex } from './index-check.ts';

test('changes of the store during a check are no differences; real differences are reported', async () => {
  await using folder = await scratch();
  await using source = await Source.open(join(folder.path, 'source'));
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), []);
  const { store } = topic.folder;
  const { engine } = topic;
  const names = Array.from({ length: 40 }, (_, n) => `${n}`);
  await store.apply(names.map((name) => source.put(name, 'harbour')));
  await topic.broker.indexer.reached(store.lsn);
  const { indexer } = topic.broker;
  let turn = 0;
  /** The store changes, and the index with it, whenever a comparison of both has started. */
  const restless: Pick<SearchEngine, 'oids' | 'count'> = {
    get count() {
      return engine.count;
    },
    oids: async function* () {
      turn++;
      await store.apply([
        source.put(`new-${turn}`, 'harbour'),
        { kind: 'delete', oid: source.oid(`${turn}`) },
        { kind: 'delete', oid: source.oid(`new-${turn - 1}`) },
      ]);
      await indexer.reached(store.lsn);
      yield* engine.oids();
    },
  };
  const check = () => checkIndex(restless as SearchEngine, store, indexer);
  const quiet = await check();
  assert.deepEqual([quiet?.sample, quiet?.missing, quiet?.ghosts], [[], 0, 0]);
  await indexer.reached(store.lsn);
  const lost = source.oid('30');
  await engine.apply([{ kind: 'remove', oid: lost }], engine.lsn);
  const damaged = await check();
  assert.deepEqual(
    [damaged?.sample, damaged?.missing, damaged?.ghosts],
    [[`${lost} is stored but not indexed`], 1, 0],
  );
});
