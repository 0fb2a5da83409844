import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  failure,
  isGarnerError,
  ManualClock,
  type Random,
  seededRandom,
  systemClock,
} from '../../../kernel/index.ts';
import { parseQuery } from '../../../query/index.ts';
import { type Oid, type SummaryObject, summaryObject } from '../../../soif/index.ts';
import { openRenewable, storeErrors } from '../../../store/index.ts';
import { ObjectTable } from '../../collecting/object-table.ts';
import { Indexer } from '../../indexing/indexer.ts';
import { now, Source, scratch } from '../../testing/topic.ts';
import { engineErrors } from '../errors.ts';
import { SegmentedEngine } from '../segmented/segmented-engine.ts';
import { SelfRepairingEngine } from './self-repairing-engine.ts';

const words = ['harbour', 'lighthouse', 'mooring', 'ferry', 'buoy', 'tide', 'anchor', 'sail'];

async function fill(source: Source, random: Random): Promise<void> {
  const text = () =>
    Array.from({ length: 60 }, () => words[Math.floor(random.next() * words.length)]).join(' ');
  for (let part = 0; part < 6; part++)
    await source.folder.store.apply(
      Array.from({ length: 40 }, (_, i) => {
        const n = part * 30 + i;
        return source.put(`p${n}`, `${text()} unique${n} ${'filler '.repeat(n % 50)}`, now() + part);
      }),
    );
}

/** An index of a store in a folder, opened like a Broker's. */
async function openIndex(path: string, source: Source) {
  const reasons: string[] = [];
  const database = await openRenewable(join(path, 'index'), {});
  const tables = await openRenewable(join(path, 'table'), {});
  const table = await ObjectTable.open(tables);
  const engine = await SelfRepairingEngine.open({
    database,
    clock: systemClock,
    open: (over) => SegmentedEngine.open({ database: over, objectOf: async () => undefined }),
    renewed: (reason) => reasons.push(reason),
  });
  const { store } = source.folder;
  const options = {
    store,
    engine,
    table,
    clock: systemClock,
    random: seededRandom(1),
    sourceOf: () => 'any',
  };
  const indexer = await Indexer.start(options);
  return {
    ...{ engine, indexer, reasons, database },
    [Symbol.asyncDispose]: async () => {
      await indexer[Symbol.asyncDispose]();
      await engine[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await tables[Symbol.asyncDispose]();
    },
  };
}

test('damage found while it runs: the answer is partial and reports that, and the rest follows', async () => {
  await using folder = await scratch();
  await using source = await Source.open(join(folder.path, 'site'));
  await fill(source, seededRandom(3));
  const { store } = source.folder;
  await using index = await openIndex(folder.path, source);
  await index.indexer.reached(store.lsn);
  assert.equal(index.indexer.rebuilding, undefined);
  let seen: { indexed: number; objects: number } | undefined;
  index.engine.onRenewed(() => {
    seen = index.indexer.rebuilding;
  });
  await index.engine.renew('a test');
  assert.deepEqual(seen, { indexed: 0, objects: store.count });
  await index.indexer.reached(store.lsn);
  assert.equal(index.engine.count, store.count);
  assert.deepEqual(index.reasons, ['a test']);
});

/** An engine over an index in a folder of its own, whose inner engine `change` makes fail. */
async function failing(
  change: (real: SegmentedEngine, opened: number) => void,
  objectOf: (oid: Oid) => Promise<SummaryObject | undefined> = async () => undefined,
) {
  const folder = await scratch();
  const clock = new ManualClock();
  const database = await openRenewable(join(folder.path, 'index'), {});
  let opened = 0;
  const engine = await SelfRepairingEngine.open({
    database,
    clock,
    open: async (over) => {
      const real = await SegmentedEngine.open({ database: over, objectOf });
      change(real, ++opened);
      return real;
    },
  });
  return {
    ...{ engine, clock, opened: () => opened },
    [Symbol.asyncDispose]: async () => {
      await engine[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const request = { query: parseQuery('x').query, limit: 1, offset: 0 };
const damaged = () => failure(engineErrors.ENGINE_DAMAGED, { what: 'a test' });
const object = summaryObject('http://x.org/', [['Title', 'xy']]);
const put = { kind: 'put', oid: 'A'.repeat(43) as Oid, object, source: 'any' } as const;

test('an index that is damaged again and again is not restarted for ever', async () => {
  await using fixture = await failing((real) => {
    real.search = () => Promise.reject(damaged());
  });
  for (let i = 0; i < 6; i++)
    await assert.rejects(fixture.engine.search(request), (error) =>
      isGarnerError(error, engineErrors.ENGINE_DAMAGED),
    );
  assert.equal(fixture.opened(), 4, 'three times after the first');
  await fixture.engine.apply([put], 1);
  assert.equal(fixture.engine.count, 1);
});

test('a program error does not reset an index whose files are intact', async () => {
  for (const error of [new RangeError('out of range'), new TypeError('not a function')]) {
    await using fixture = await failing((real) => {
      real.search = () => Promise.reject(error);
    });
    await fixture.engine.apply([put], 1);
    await assert.rejects(fixture.engine.search(request), error);
    assert.deepEqual([fixture.opened(), fixture.engine.count], [1, 1]);
  }
});

test('a failure of the object store does not count as damage of the index', async () => {
  const corruption = failure(storeErrors.STORE_DAMAGED, { path: 'store', reason: 'Corruption' });
  for (const error of [corruption, new TypeError('not a function')]) {
    await using fixture = await failing(
      () => undefined,
      () => Promise.reject(error),
    );
    await fixture.engine.apply([put], 1);
    const { query } = parseQuery('/./');
    await assert.rejects(fixture.engine.search({ ...request, query }), (found) =>
      isGarnerError(found, engineErrors.ENGINE_OBJECT),
    );
    assert.deepEqual([fixture.opened(), fixture.engine.count], [1, 1]);
  }
});

test('a failed renewal is tried again after a delay, and then works', async () => {
  await using fixture = await failing((real, opened) => {
    if (opened === 1) real.search = () => Promise.reject(damaged());
    if (opened === 2 || opened === 3) throw new Error('no space left');
  });
  const { engine, clock } = fixture;
  let renewed = 0;
  engine.onRenewed(() => renewed++);
  await assert.rejects(engine.search(request), /no space left/);
  await assert.rejects(engine.search(request), /no space left/);
  assert.equal(fixture.opened(), 2, 'not at once');
  clock.advance(6_000);
  await assert.rejects(engine.apply([put], 1), /no space left/);
  clock.advance(6_000);
  assert.equal((await engine.search(request)).total, 0);
  assert.deepEqual([fixture.opened(), renewed], [4, 1]);
});

test('damage found in explaining and in listing objects is repaired too', async () => {
  await using fixture = await failing((real, opened) => {
    const explain: SegmentedEngine['ranker']['explain'] = () => Promise.reject(damaged());
    if (opened === 1) Object.assign(real.ranker, { explain });
    if (opened === 2)
      real.oids = async function* () {
        yield put.oid;
        throw damaged();
      };
  });
  const { engine } = fixture;
  assert.equal(await engine.ranker?.explain({ query: request.query, oid: put.oid }), undefined);
  assert.equal(fixture.opened(), 2);
  const named = async () => {
    const found: Oid[] = [];
    for await (const oid of engine.oids?.() ?? []) found.push(oid);
    return found;
  };
  await assert.rejects(named(), (error) => isGarnerError(error, engineErrors.ENGINE_DAMAGED));
  assert.deepEqual([fixture.opened(), await named()], [3, []]);
});
