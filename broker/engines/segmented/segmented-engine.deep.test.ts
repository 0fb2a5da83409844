import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { isGarnerError } from '../../../kernel/index.ts';
import { parseQuery } from '../../../query/index.ts';
import { oidOf, type ServerId, summaryObject } from '../../../soif/index.ts';
import { openDatabase } from '../../../store/index.ts';
import { dyingAfter, flexsearchOnDisk } from '../../testing/segmented-engine.ts';
import { engineErrors } from '../errors.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import type { IndexChange, SearchEngine } from '../model/search-engine.ts';
import { SegmentedEngine } from './segmented-engine.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;

const page = (number: number, text: string): IndexChange => {
  const url = `http://example.org/${number}`;
  return {
    kind: 'put',
    oid: oidOf(gatherer, url),
    source: 's',
    object: summaryObject(url, [['Full-Text', text]]),
  };
};
const count = async (engine: SearchEngine, query: string) =>
  (await engine.search({ query: parseQuery(query).query, limit: 0, offset: 0 })).total;

test('many small changes leave few segments and no garbage', async () => {
  await using fixture = await flexsearchOnDisk();
  await using engine = (await fixture.open(async () => undefined)) as SegmentedEngine;
  for (let change = 0; change < 400; change++) {
    await engine.apply([page(change % 50, `common word${change} filler text`)], change + 1);
    if (change % 100 === 99) await engine.settled();
  }
  const { segments, garbage } = engine.layout;
  assert.ok(segments.length <= 12, `${segments.length} segments`);
  assert.equal(garbage, 0);
  assert.equal(await count(engine, 'common'), 50);
  assert.equal(await count(engine, 'word399'), 1);
  assert.equal(await count(engine, 'word10'), 0);
  assert.deepEqual(await engine.complete('word10', 10), []);
});

test('pending merges wait until the first answer after opening', async () => {
  await using fixture = await flexsearchOnDisk();
  {
    await using engine = (await fixture.open(async () => undefined)) as SegmentedEngine;
    for (let change = 1; change < 17; change++) await engine.apply([page(change, 'common')], change);
  }
  let batches = 0;
  const database: PostingDatabase = new Proxy(fixture.database, {
    get: (target, name) => {
      if (name === 'batch') batches++;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const facetAttributes = ['Language', 'Publisher'];
  await using engine = await SegmentedEngine.open({
    ...{ database, facetAttributes, objectOf: async () => undefined },
  });
  const { segments, garbage } = engine.layout;
  assert.ok(segments.length >= 16 || garbage > 0);
  for (let turn = 0; turn < 50; turn++) await setImmediate();
  assert.equal(batches, 0);
  assert.equal(await count(engine, 'common'), 16);
  await engine.settled();
  assert.ok(batches > 0);
  assert.deepEqual([engine.layout.segments.length, engine.layout.garbage], [1, 0]);
});

test('removing everything leaves only the record', async () => {
  await using fixture = await flexsearchOnDisk();
  await using engine = (await fixture.open(async () => undefined)) as SegmentedEngine;
  const pages = Array.from({ length: 30 }, (_, number) => page(number, `text ${number}`));
  await engine.apply(pages, 1);
  await engine.apply(
    pages.map(({ oid }) => ({ kind: 'remove', oid })),
    2,
  );
  await engine.settled();
  const left: string[] = [];
  for await (const key of fixture.database.keys({})) left.push(Buffer.from(key).toString('latin1'));
  // Beside the state only the names of the source stays.
  assert.deepEqual(left, ['i', 'v\0\0\x01']);
});

test('a large batch, and a small one after it, are found like any other', async () => {
  await using fixture = await flexsearchOnDisk();
  await using engine = (await fixture.open(async () => undefined)) as SegmentedEngine;
  const filler = 'some words that fill a page '.repeat(4_000);
  const pages = Array.from({ length: 90 }, (_, number) => page(number, `${filler}only${number} here`));
  await engine.apply(pages, 90);
  assert.equal(engine.lsn, 90);
  assert.equal(engine.count, 90);
  await engine.apply([page(3, 'changed words'), page(90, 'new words')], 92);
  assert.equal(await count(engine, 'fill'), 89);
  assert.equal(await count(engine, '"only0 here"'), 1);
  assert.equal(await count(engine, '"only89 here"'), 1);
  assert.equal(await count(engine, 'only3'), 0);
  assert.equal(await count(engine, 'changed OR new'), 2);
  const { segments } = engine.layout;
  assert.deepEqual([segments[0]?.from, segments.at(-1)?.to], [1, 92]);
  for (const [at, { to }] of segments.slice(0, -1).entries()) assert.equal(segments[at + 1]?.from, to + 1);
  assert.equal(
    segments.reduce((sum, { docs, dead }) => sum + docs - dead, 0),
    91,
  );
});

test('writes are not left in the log of the database when the index is closed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-log-'));
  try {
    await using database = await openDatabase(folder);
    const logged = async () => {
      const logs = (await readdir(folder)).filter((name) => name.endsWith('.log'));
      const sizes = await Promise.all(logs.map(async (name) => (await stat(join(folder, name))).size));
      return sizes.reduce((sum, size) => sum + size, 0);
    };
    {
      await using engine = await SegmentedEngine.open({ database, objectOf: async () => undefined });
      const words = (from: number) => Array.from({ length: 9_000 }, (_, at) => `word${from + at}`).join(' ');
      for (let number = 1; number < 4; number++)
        await engine.apply([page(number, words(number * 10_000))], number);
      await engine.settled();
      assert.ok((await logged()) > 128 * 1024, `${await logged()} bytes before`);
    }
    assert.ok((await logged()) < 4096, `${await logged()} bytes after`);
    await using engine = await SegmentedEngine.open({ database, objectOf: async () => undefined });
    assert.equal(await count(engine, 'word20007'), 1);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('an index of another layout is cleared without reading its contents', async () => {
  await using fixture = await flexsearchOnDisk();
  const junk = Buffer.from('abc');
  for (const name of ['c', 'c1234', 'v', 'a1234', 's1234b'])
    await fixture.database.batch([{ type: 'put', key: Buffer.from(name), value: junk }]);
  for (const state of [undefined, '{}', 'no JSON']) {
    if (state !== undefined)
      await fixture.database.batch([{ type: 'put', key: Buffer.from('i'), value: Buffer.from(state) }]);
    await using engine = await fixture.open(async () => undefined);
    assert.equal(engine.count, 0);
    await engine.apply([page(1, 'word')], 1);
    assert.equal(await count(engine, 'word'), 1);
    await fixture.database.batch([{ type: 'put', key: Buffer.from('c1'), value: junk }]);
  }
});

test('killed while it is opened for other facets, it is whole or empty when opened as before', async () => {
  const before = { objectOf: async () => undefined };
  const pages = Array.from({ length: 30 }, (_, number) => page(number, `common text ${number}`));
  let halves = 0;
  for (let batches = 0; batches <= 40; batches++) {
    await using fixture = await flexsearchOnDisk();
    await using made = await SegmentedEngine.open({ ...before, database: fixture.database });
    await made.apply(pages, 1);
    await made[Symbol.asyncDispose]();
    const opened = SegmentedEngine.open({
      ...before,
      database: dyingAfter(fixture.database, batches),
      facetAttributes: ['Language'],
    });
    await opened.then(
      (engine) => engine[Symbol.asyncDispose](),
      () => halves++,
    );
    await using engine = await SegmentedEngine.open({ ...before, database: fixture.database });
    assert.equal(await count(engine, '*'), engine.count, `after ${batches} batches`);
    assert.equal(await count(engine, 'common'), engine.lsn === 0 ? 0 : 30);
  }
  assert.ok(halves > 2 && halves < 40, `it was killed ${halves} times`);
});

test('killed between any two batches, merges and clearing included, the index equals its LSN', async () => {
  for (let batches = 1; batches <= 60; batches++) {
    await using fixture = await flexsearchOnDisk();
    const doomed = await SegmentedEngine.open({
      database: dyingAfter(fixture.database, batches),
      objectOf: async () => undefined,
    });
    let applied = 0;
    let clearing = false;
    try {
      for (let lsn = 1; lsn <= 20; lsn++) {
        await doomed.apply([page(lsn % 7, `common lsn${lsn}`), page(100 + lsn, `other lsn${lsn}`)], lsn);
        applied = lsn;
        await doomed.settled();
      }
      clearing = true;
      await doomed.clear();
      applied = 0;
    } catch (error) {
      assert.match(String(error), /killed/);
    }
    await doomed[Symbol.asyncDispose]();
    await using engine = await SegmentedEngine.open({
      database: fixture.database,
      objectOf: async () => undefined,
    });
    assert.ok(engine.lsn === applied || (clearing && engine.lsn === 0), `${engine.lsn} is not ${applied}`);
    await engine.settled();
    const { lsn } = engine;
    assert.equal(engine.layout.garbage, 0);
    assert.equal(await count(engine, 'common'), Math.min(lsn, 7), `after ${batches} batches`);
    assert.equal(await count(engine, 'other'), lsn);
    assert.equal(await count(engine, '*'), engine.count);
    if (lsn > 0) assert.equal(await count(engine, `lsn${lsn}`), 2);
  }
});

test('a failed batch changes nothing, the next one goes through', async () => {
  await using fixture = await flexsearchOnDisk();
  let broken = false;
  const database: PostingDatabase = {
    ...fixture.database,
    batch: async (writes) => {
      if (broken) throw new Error('disk full');
      await fixture.database.batch(writes);
    },
  };
  {
    await using engine = await SegmentedEngine.open({ database, objectOf: async () => undefined });
    await engine.apply([page(1, 'first')], 1);
    broken = true;
    await assert.rejects(
      engine.apply([{ ...page(2, 'second'), source: 'new' } as IndexChange], 2),
      /disk full/,
    );
    assert.equal(engine.lsn, 1);
    assert.equal(await count(engine, 'second'), 0);
    broken = false;
    await engine.apply([{ ...page(2, 'second'), source: 'new' } as IndexChange], 2);
  }
  await using engine = await SegmentedEngine.open({ database, objectOf: async () => undefined });
  const { facets } = await engine.search({ query: { kind: 'all' }, limit: 0, offset: 0 });
  assert.deepEqual(facets.source.map(({ value }) => value).sort(), ['new', 's']);
});

test('an attribute without postings is searched by reading a bounded number of objects', async () => {
  await using fixture = await flexsearchOnDisk();
  const pages = Array.from({ length: 30 }, (_, number) => page(number, `common text${number}`));
  const objects = new Map(
    pages.map((change) => [change.oid, change.kind === 'put' ? change.object : undefined]),
  );
  await using engine = await SegmentedEngine.open({
    database: fixture.database,
    objectOf: async (oid) => objects.get(oid),
    maxObjectsRead: 20,
  });
  await engine.apply(pages, 1);
  assert.equal(await count(engine, 'Full-Text: text7'), 1);
  assert.equal(await count(engine, 'Full-Text: common text7'), 1);
  await assert.rejects(count(engine, 'Full-Text: common'), (error) =>
    isGarnerError(error, engineErrors.ENGINE_QUERY_TOO_WIDE),
  );
  await assert.rejects(count(engine, 'MD5: abc'), (error) =>
    isGarnerError(error, engineErrors.ENGINE_QUERY_TOO_WIDE),
  );
});

test('without positions phrases are found by reading a bounded number of objects', async () => {
  await using fixture = await flexsearchOnDisk();
  const pages = Array.from({ length: 30 }, (_, number) =>
    page(number, number === 7 ? 'one two' : `two ${number} one`),
  );
  const objects = new Map(
    pages.map((change) => [change.oid, change.kind === 'put' ? change.object : undefined]),
  );
  const open = (positions: boolean, maxObjectsRead: number) =>
    SegmentedEngine.open({
      ...{ database: fixture.database, objectOf: async (oid) => objects.get(oid) },
      ...{ positions, maxObjectsRead },
    });
  {
    await using engine = await open(true, 20);
    await engine.apply(pages, 1);
    assert.equal(await count(engine, '"one two"'), 1);
  }
  {
    await using engine = await open(false, 30);
    assert.equal(engine.lsn, 0, 'an index of the other kind is rebuilt');
    await engine.apply(pages, 1);
    assert.equal(await count(engine, '"one two"'), 1);
    assert.equal(await count(engine, '"two one"'), 0);
  }
  await using engine = await open(false, 20);
  assert.equal(engine.lsn, 1);
  assert.equal(await count(engine, '"two 8 one"'), 1);
  await assert.rejects(count(engine, '"one two"'), (error) =>
    isGarnerError(error, engineErrors.ENGINE_QUERY_TOO_WIDE),
  );
});

test('better matches come first', async () => {
  await using fixture = await flexsearchOnDisk();
  await using engine = await fixture.open(async () => undefined);
  const make = (name: string, title: string, text: string): IndexChange => ({
    ...{ kind: 'put', oid: oidOf(gatherer, name), source: 's' },
    object: summaryObject(name, [
      ['Title', title],
      ['Full-Text', text],
    ]),
  });
  const filler = 'some other words that stand in every page of the collection '.repeat(5);
  await engine.apply(
    [
      make('once', 'Page', `${filler} asyncio`),
      make('often', 'Page', `${filler} asyncio asyncio asyncio`),
      make('titled', 'asyncio', `${filler} asyncio asyncio asyncio`),
      make('rare', 'Page', `${filler} rareword`),
    ],
    1,
  );
  const order = async (query: string) =>
    (await engine.search({ query: parseQuery(query).query, limit: 9, offset: 0 })).hits.map(({ oid }) => oid);
  const named = (...names: string[]) => names.map((name) => oidOf(gatherer, name));
  assert.deepEqual(await order('asyncio'), named('titled', 'often', 'once'));
  assert.deepEqual((await order('rareword OR some'))[0], named('rare')[0]);
  assert.deepEqual(await order('NOT absent'), named('once', 'often', 'titled', 'rare'));
});

test('a closed engine reports that', async () => {
  await using fixture = await flexsearchOnDisk();
  const engine = await fixture.open(async () => undefined);
  await engine[Symbol.asyncDispose]();
  await assert.rejects(count(engine, 'x'), (error) => isGarnerError(error, engineErrors.ENGINE_CLOSED));
  await assert.rejects(engine.apply([], 1), (error) => isGarnerError(error, engineErrors.ENGINE_CLOSED));
});
