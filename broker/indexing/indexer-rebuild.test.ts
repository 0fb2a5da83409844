import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededRandom, systemClock } from '../../kernel/index.ts';
import { type ObjectStore, openRenewable } from '../../store/index.ts';
import { ObjectTable } from '../collecting/object-table.ts';
import { SelfRepairingEngine } from '../engines/repair/self-repairing-engine.ts';
import { SegmentedEngine } from '../engines/segmented/segmented-engine.ts';
import { now, Source, scratch } from '../testing/topic.ts';
import { Indexer } from './indexer.ts';

/** A store whose log, read from an LSN on, does something else before it yields its first change. */
function interrupted(store: ObjectStore, meanwhile: (from: number) => Promise<void>): ObjectStore {
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'snapshot') return value.bind(target);
      return async () => {
        const snapshot = await target.snapshot();
        return new Proxy(snapshot, {
          get: (own, part) => {
            const member: unknown = Reflect.get(own, part, own);
            if (typeof member !== 'function') return member;
            if (part !== 'history') return member.bind(own);
            return async function* (from: number) {
              let isFirst = true;
              for await (const change of own.history(from)) {
                if (isFirst) await meanwhile(from);
                isFirst = false;
                yield change;
              }
            };
          },
        });
      };
    },
  });
}

test('a batch gathered for an index that restarts meanwhile does not count as the whole index', async () => {
  await using folder = await scratch();
  await using source = await Source.open(join(folder.path, 'site'));
  const { store } = source.folder;
  await store.apply(Array.from({ length: 40 }, (_, n) => source.put(`page${n}`, `text ${n}`, now())));
  await using database = await openRenewable(join(folder.path, 'index'), {});
  await using tables = await openRenewable(join(folder.path, 'table'), {});
  await using engine = await SelfRepairingEngine.open({
    database,
    clock: systemClock,
    open: (opened) => SegmentedEngine.open({ database: opened, objectOf: async () => undefined }),
  });
  let renewAt = Number.POSITIVE_INFINITY;
  const watched = interrupted(store, async (from) => {
    if (from < renewAt) return;
    renewAt = Number.POSITIVE_INFINITY;
    await engine.renew('it is damaged');
  });
  await using indexer = await Indexer.start({
    ...{ store: watched, engine, table: await ObjectTable.open(tables), sourceOf: () => 'any' },
    ...{ clock: systemClock, random: seededRandom(1) },
  });
  await indexer.reached(store.lsn);
  assert.equal(engine.count, 40);
  renewAt = store.lsn;
  await store.apply([source.put('new', 'text new', now())]);
  await indexer.reached(store.lsn);
  assert.deepEqual([engine.count, engine.lsn], [41, store.lsn]);
});
