import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock, systemRandom } from '../../kernel/index.ts';
import { openDatabase } from '../../store/index.ts';
import { ObjectTable } from '../collecting/object-table.ts';
import type { IndexChange } from '../engines/model/search-engine.ts';
import { ReferenceEngine } from '../engines/reference/reference-engine.ts';
import { brokerFault } from '../events.ts';
import { Source, scratch } from '../testing/topic.ts';
import { Indexer } from './indexer.ts';

/** An engine whose disk is full for a while. */
class FailingEngine extends ReferenceEngine {
  failures = 0;
  tries = 0;

  override async apply(changes: readonly IndexChange[], lsn: number): Promise<void> {
    this.tries++;
    if (this.failures-- > 0) throw new Error('no space left on device');
    return super.apply(changes, lsn);
  }
}

test('failed indexing is tried again at growing intervals, until everything is searchable', async () => {
  await using folder = await scratch();
  await using source = await Source.open(join(folder.path, 'source'));
  await using database = await openDatabase(join(folder.path, 'table'));
  const { store } = source.folder;
  const engine = new FailingEngine();
  engine.failures = 3;
  const clock = new ManualClock(0);
  await store.apply([source.put('a', 'alpha')]);
  let faults = 0;
  let faulted: () => void = () => {};
  const stop = brokerFault.subscribe(() => {
    faults++;
    faulted();
  });
  try {
    await using indexer = await Indexer.start({
      store,
      engine,
      table: await ObjectTable.open(database),
      sourceOf: () => 'source',
      clock,
      random: systemRandom,
    });
    await assert.rejects(indexer.reached(store.lsn), /no space left/);
    while (faults < 3) {
      const next = new Promise<void>((resolve) => {
        faulted = resolve;
      });
      assert.match(String(indexer.fault), /no space left/);
      clock.advance(60_000);
      await next;
    }
    assert.equal(engine.tries, 3, 'it waits between tries');
    // The fault is reported right before the wait begins.
    await new Promise(setImmediate);
    clock.advance(60_000);
    while (indexer.lsn < store.lsn) await new Promise(setImmediate);
    assert.deepEqual([engine.count, indexer.fault], [1, undefined]);
  } finally {
    stop();
  }
});

test('a single change is indexed at once, a stream of changes in passes of half a second, unless a caller waits', async () => {
  await using folder = await scratch();
  await using source = await Source.open(join(folder.path, 'source'));
  await using database = await openDatabase(join(folder.path, 'table'));
  const { store } = source.folder;
  const engine = new FailingEngine();
  const clock = new ManualClock(0);
  await using indexer = await Indexer.start({
    ...{ store, engine, clock, sourceOf: () => 'source', random: systemRandom },
    table: await ObjectTable.open(database),
  });
  const change = (name: number) => store.apply([source.put(`page${name}`, `text ${name}`)]);
  const searchable = async () => {
    while (indexer.lsn < store.lsn) await new Promise(setImmediate);
  };
  // The clock does not move, so no indexing can have waited.
  for (let name = 0; name < 4; name++) {
    await change(name);
    await searchable();
  }
  const alone = engine.tries;
  for (let name = 4; name < 12; name++) {
    await change(name);
    await new Promise(setImmediate);
  }
  assert.deepEqual([engine.tries, engine.count], [alone, 4]);
  clock.advance(500);
  await searchable();
  assert.deepEqual([engine.tries, engine.count], [alone + 1, 12]);
  await change(12);
  await new Promise(setImmediate);
  await indexer.reached(store.lsn);
  assert.equal(engine.count, 13);
  clock.advance(5000);
  await change(13);
  await searchable();
});
