import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseQuery } from '../../query/index.ts';
import { oidOf, type ServerId, type SummaryObject, summaryObject } from '../../soif/index.ts';
import { type Database, openDatabase } from '../../store/index.ts';
import { SegmentedEngine } from './segmented/segmented-engine.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;
const objectOf = async () => undefined;

/** A database that counts its reads. */
class CountedDatabase {
  readonly database: Database;
  reads = 0;

  constructor(database: Database) {
    this.database = database;
  }

  readonly door = new Proxy({} as Database, {
    get: (_, name) => {
      const own = this.database[name as keyof Database];
      if (typeof own !== 'function') return own;
      if (['get', 'getMany', 'entries', 'keys'].includes(String(name)))
        return (...args: unknown[]) => {
          this.reads++;
          return Reflect.apply(own, this.database, args);
        };
      return own.bind(this.database);
    },
  });
}

async function scratch() {
  const folder = await mkdtemp(join(tmpdir(), 'garner-repeated-'));
  const database = await openDatabase(join(folder, 'index'));
  const counted = new CountedDatabase(database);
  return {
    counted,
    engine: await SegmentedEngine.open({ database: counted.door, objectOf }),
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

const url = (name: string) => `http://example.org/${name}`;
const put = (name: string, attributes: [string, string][]) => {
  const object: SummaryObject = summaryObject(url(name), attributes);
  return { kind: 'put', oid: oidOf(gatherer, url(name)), object, source: 's' } as const;
};

const hitsOf = async (engine: SegmentedEngine, text: string) => {
  const { hits } = await engine.search({ query: parseQuery(text).query, limit: 10, offset: 0 });
  return hits.map(({ oid }) => oid);
};

test('a repeated query reads nothing of the index, whatever the number of languages', async () => {
  await using scene = await scratch();
  const { counted } = scene;
  await using engine = scene.engine;
  const texts = {
    en: 'the reading houses',
    de: 'die lesenden Häuser',
    fr: 'les maisons lisant',
    es: 'las casas',
  };
  const changes = Object.entries(texts).map(([language, text]) =>
    put(language, [
      ['Language', language],
      ['Full-Text', `${text} houses Häuser`],
    ]),
  );
  await engine.apply(changes, 1);
  await engine.settled();
  assert.equal(engine.languages.size, 4);
  for (const query of ['houses', 'houses OR reading', 'houses AND Häuser']) {
    counted.reads = 0;
    const first = await hitsOf(engine, query);
    assert.ok(first.length > 0);
    assert.ok(counted.reads > 0);
    counted.reads = 0;
    assert.deepEqual(await hitsOf(engine, query), first);
    assert.equal(counted.reads, 0, query);
  }
});

test('after a clearing, document numbers belong to other objects', async () => {
  await using scene = await scratch();
  await using engine = scene.engine;
  await engine.apply([put('old', [['Full-Text', 'word']])], 1);
  assert.deepEqual(await hitsOf(engine, 'word'), [oidOf(gatherer, url('old'))]);
  await engine.clear();
  await engine.apply([put('new', [['Full-Text', 'word']])], 1);
  assert.deepEqual(await hitsOf(engine, 'word'), [oidOf(gatherer, url('new'))]);
});
