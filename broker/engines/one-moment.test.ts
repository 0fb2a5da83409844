import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseQuery } from '../../query/index.ts';
import {
  encodeObject,
  type Oid,
  oidOf,
  type ServerId,
  type SummaryObject,
  summaryObject,
} from '../../soif/index.ts';
import { type Database, openDatabase } from '../../store/index.ts';
import { GlimpseEngine } from './glimpse/glimpse-engine.ts';
import { orders, type SearchEngine } from './model/search-engine.ts';
import { maxWideTrials } from './search/object-verifier.ts';
import { SegmentedEngine } from './segmented/segmented-engine.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;
// More than one chunk of details, so that whole chunks are deleted.
const pages = 300;

const oidAt = (number: number) => oidOf(gatherer, `http://example.org/${number}`);
const pageAt = (number: number, words: string) =>
  summaryObject(`http://example.org/${number}`, [
    ['Title', `Page ${words} ${number}`],
    ['Full-Text', 'code-7 stands here'],
    ['File-Size', number],
    ['Last-Modification-Time', 1_700_000_000 + number],
  ]);

type ObjectOf = (oid: Oid) => Promise<SummaryObject | undefined>;
const engines: Readonly<Record<string, (database: Database, objectOf: ObjectOf) => Promise<SearchEngine>>> = {
  flexsearch: (database, objectOf) => SegmentedEngine.open({ database, objectOf, maxObjectsRead: pages }),
  glimpse: (database, objectOf) =>
    GlimpseEngine.open({
      database,
      maxObjectsRead: pages,
      bodiesOf: (oids) =>
        Promise.all(
          oids.map(async (oid) => {
            const object = await objectOf(oid);
            return object && encodeObject(object);
          }),
        ),
    }),
};

for (const [name, open] of Object.entries(engines))
  for (const by of [undefined, ...orders])
    test(`${name}: changes do not wait for a whole list, by ${by ?? 'relevance'}, which is of one moment`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'garner-moment-'));
      const database = await openDatabase(join(folder, 'index'));
      try {
        const objects = new Map(Array.from({ length: pages }, (_, n) => [oidAt(n), pageAt(n, 'a')]));
        let requested = () => {};
        const isRequested = new Promise<void>((resolve) => {
          requested = resolve;
        });
        let read = () => {};
        const mayRead = new Promise<void>((resolve) => {
          read = resolve;
        });
        await using engine = await open(database, async (oid) => {
          requested();
          await mayRead;
          return objects.get(oid);
        });
        const put = (number: number, words: string) =>
          ({ kind: 'put', oid: oidAt(number), object: pageAt(number, words), source: 's' }) as const;
        await engine.apply(
          Array.from({ length: pages }, (_, n) => put(n, 'a')),
          1,
        );
        const order = by && { order: { by, reversed: false } };
        // It demands no literal, so it does not rank.
        const list = engine.matches({ query: parseQuery('/[a-z]+-[0-9]/').query, ...order });
        await isRequested;
        await engine.apply(
          Array.from({ length: 290 }, (_, n) => put(n, 'z')),
          2,
        );
        await engine.apply([{ kind: 'remove', oid: oidAt(295) }], 3);
        assert.equal(engine.lsn, 3);
        read();
        const numbers = Array.from({ length: pages }, (_, n) => n);
        const isDescending = by === 'date' || by === 'size';
        assert.deepEqual([...(await list)], (isDescending ? numbers.reverse() : numbers).map(oidAt));
        const after = [...(await engine.matches({ query: parseQuery('/[a-z]+-[0-9]/').query }))];
        assert.deepEqual(
          after.sort(),
          numbers
            .filter((n) => n !== 295)
            .map(oidAt)
            .sort(),
        );
      } finally {
        await database[Symbol.asyncDispose]();
        await rm(folder, { recursive: true });
      }
    });

for (const [name, open] of Object.entries(engines))
  test(`${name}: searches for one question read no more together than is allowed`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'garner-reads-'));
    const database = await openDatabase(join(folder, 'index'));
    try {
      const objects = new Map(Array.from({ length: pages }, (_, n) => [oidAt(n), pageAt(n, 'kettle')]));
      await using engine = await open(database, async (oid) => objects.get(oid));
      await engine.apply(
        Array.from(objects, ([oid, object]) => ({ kind: 'put', oid, object, source: 's' })),
        1,
      );
      const reads = { objects: 0 };
      const search = (q: string) => engine.search({ query: parseQuery(q).query, limit: 0, offset: 0, reads });
      assert.equal((await search('kettlx~best')).total, pages);
      assert.equal(reads.objects, 0, 'its words decide');
      for (let trial = 0; trial < maxWideTrials; trial++) await search('/code.7 stands/');
      assert.equal(reads.objects, maxWideTrials * pages);
      await assert.rejects(search('/code.7/'), { code: 'ENGINE_QUERY_TOO_WIDE' });
      assert.equal((await search('kettle')).total, pages);
    } finally {
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    }
  });
