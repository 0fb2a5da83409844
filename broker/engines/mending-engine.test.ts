import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock, type Random, seededRandom, systemClock } from '../../kernel/index.ts';
import { parseQuery } from '../../query/index.ts';
import { summaryObject } from '../../soif/index.ts';
import { openRenewable } from '../../store/index.ts';
import { assertEqualsScratch } from '../index-scratch-fixture.test.ts';
import { Indexer } from '../indexer.ts';
import { ObjectTable } from '../object-table.ts';
import { now, Source, scratch } from '../topic-fixture.test.ts';
import { FlexsearchEngine } from './flexsearch-engine.ts';
import { MendingEngine } from './mending-engine.ts';

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

/** An index of a store in a folder, opened as a Broker opens it. */
async function openIndex(path: string, source: Source) {
  const reasons: string[] = [];
  const database = await openRenewable(join(path, 'index'), {});
  const tables = await openRenewable(join(path, 'table'), {});
  const table = await ObjectTable.open(tables);
  const engine = await MendingEngine.open({
    database,
    clock: systemClock,
    open: (over) => FlexsearchEngine.open({ database: over, objectOf: async () => undefined }),
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

type Damage = 'bytes' | 'cut' | 'gone' | 'empty' | 'whole folder';
const kinds: readonly Damage[] = ['bytes', 'bytes', 'bytes', 'cut', 'gone', 'empty', 'whole folder'];

/** Do something to a file of the index that no crash would. */
async function damage(folder: string, random: Random): Promise<string> {
  const kind = kinds[Math.floor(random.next() * kinds.length)] as Damage;
  if (kind === 'whole folder') {
    await rm(folder, { recursive: true });
    return kind;
  }
  const files = (await readdir(folder)).filter((name) =>
    /^(\d+\.(ldb|log)|MANIFEST-\d+|CURRENT)$/.test(name),
  );
  const name = files[Math.floor(random.next() * files.length)] as string;
  const path = join(folder, name);
  const { size } = await stat(path);
  if (kind === 'gone') await rm(path);
  else if (kind === 'empty') await writeFile(path, '');
  else if (kind === 'cut') await truncate(path, Math.floor(random.next() * size));
  else {
    const bytes = await readFile(path);
    for (let i = 0; i < 3 && size > 0; i++) {
      const at = Math.floor(random.next() * size);
      bytes[at] = (bytes[at] as number) ^ (1 + Math.floor(random.next() * 255));
    }
    await writeFile(path, bytes);
  }
  return `${kind} of ${name}`;
}

test('whatever happens to the files of an index, it is made anew from the store and equals one from scratch', async (t) => {
  const seed = Number(process.env.GARNER_TEST_SEED || Math.floor(Math.random() * 2 ** 32)) >>> 0;
  t.diagnostic(`GARNER_TEST_SEED=${seed}`);
  const random = seededRandom(seed);
  await using folder = await scratch();
  await using source = await Source.open(join(folder.path, 'site'));
  await fill(source, random);
  const { store } = source.folder;
  const log: string[] = [];
  for (let round = 0; round < Number(process.env.GARNER_DAMAGES || 10); round++) {
    {
      await using index = await openIndex(folder.path, source);
      await index.indexer.reached(store.lsn);
      // Half of the time what is written lies in tables, not in the log alone.
      if (random.next() < 0.7)
        await index.database.compact({ gte: Buffer.alloc(0), lt: Buffer.alloc(1, 0xff) });
    }
    log.push(await damage(join(folder.path, 'index'), random));
    try {
      await using index = await openIndex(folder.path, source);
      // Whoever asks meanwhile is answered from what is there.
      await index.engine.search({ query: parseQuery('harbour').query, limit: 5, offset: 0 });
      await index.engine.verify();
      await index.indexer.reached(store.lsn);
      await index.engine.inner.settled();
      await assertEqualsScratch(index.engine, store);
      assert.equal(index.indexer.rebuilding, undefined);
      log.push(index.reasons.join('; '));
    } catch (error) {
      throw new Error(`GARNER_TEST_SEED=${seed}: ${log.at(-1)}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  t.diagnostic(log.join(' | '));
});

test('damage found while it runs: the answer is partial and says so, and the rest comes', async () => {
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

test('an index that is damaged again and again is not begun anew for ever', async () => {
  await using folder = await scratch();
  let opened = 0;
  const database = await openRenewable(join(folder.path, 'index'), {});
  const engine = await MendingEngine.open({
    database,
    clock: new ManualClock(),
    open: async (over) => {
      opened++;
      const real = await FlexsearchEngine.open({ database: over, objectOf: async () => undefined });
      real.search = () => Promise.reject(new RangeError('out of range'));
      return real;
    },
  });
  const asked = { query: parseQuery('x').query, limit: 1, offset: 0 };
  for (let i = 0; i < 6; i++) await assert.rejects(engine.search(asked), RangeError);
  assert.equal(opened, 4, 'three times after the first');
  const object = summaryObject('http://x.org/', [['Title', 'x']]);
  await engine.apply([{ kind: 'put', oid: 'A'.repeat(43) as never, object, source: 'any' }], 1);
  assert.equal(engine.count, 1);
  await engine[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
