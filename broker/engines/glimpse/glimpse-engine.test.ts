import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseQuery } from '../../../query/index.ts';
import { encodeObject, type Oid, oidOf, type ServerId, summaryObject } from '../../../soif/index.ts';
import { openDatabase } from '../../../store/index.ts';
import { type EngineFixture, engineConformance } from '../../engine-conformance.ts';
import type { IndexChange } from '../../search-engine.ts';
import { GlimpseEngine } from './glimpse-engine.ts';
import { type GlimpseSize, glimpseSizes } from './glimpse-size.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;

async function onDisk(size: GlimpseSize): Promise<EngineFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-glimpse-'));
  const database = await openDatabase(join(folder, 'index'));
  return {
    open: (objectOf) => {
      const bodyOf = async (oid: Oid) => {
        const object = await objectOf(oid);
        return object === undefined ? undefined : encodeObject(object);
      };
      return GlimpseEngine.open({
        database,
        size,
        facetAttributes: ['Language', 'Publisher'],
        bodiesOf: (oids) => Promise.all(oids.map(bodyOf)),
      });
    },
    settled: (engine) => (engine as GlimpseEngine).settled(),
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

for (const size of glimpseSizes) engineConformance(`glimpse ${size}`, { durable: true }, () => onDisk(size));

const filler = 'lorem ipsum dolor sit amet consectetur adipiscing elit';

/** Pages of which every hundredth is about something; read of them is what is told. */
async function readFor(size: GlimpseSize, queries: readonly string[]): Promise<readonly [number, number][]> {
  await using fixture = await onDisk(size);
  const objects = new Map(
    Array.from({ length: 1_000 }, (_, n) => {
      const url = `http://example.org/${n}`;
      const text = n % 100 === 7 ? `a Kettle of Code-${n} whistles in the café` : `page ${filler}`;
      return [oidOf(gatherer, url), summaryObject(url, [['Title', `${text} number${n}`]])] as const;
    }),
  );
  await using engine = await fixture.open(async (oid) => objects.get(oid));
  const puts = [...objects].map(([oid, object]): IndexChange => ({ kind: 'put', oid, object, source: 's' }));
  await engine.apply(puts, 1);
  const told: [number, number][] = [];
  for (const text of queries) {
    const { total, scanned } = await engine.search({ query: parseQuery(text).query, limit: 0, offset: 0 });
    assert.equal(scanned?.of, 1_000);
    told.push([total, scanned.read]);
  }
  return told;
}

const selective = [
  'kettle',
  'kettel~1',
  'ket*',
  'kettle -lorem',
  'cafe',
  '"kettle of code"',
  '/Code-[0-9]{3}/',
  'whistle NEAR/1 cafe',
];

test('with a block for each object words need no reading, and phrases only that of objects with their words', async () => {
  assert.deepEqual(await readFor('small', selective), [
    ...[
      [10, 0],
      [10, 0],
      [10, 0],
      [10, 0],
      [10, 0],
    ],
    ...[
      [10, 10],
      [9, 10],
      [0, 10],
    ],
  ]);
});

test('with eight objects in a block a selective query reads few of them', async () => {
  for (const [total, read] of await readFor('tiny', selective)) {
    assert.ok(read <= 80, `${read} for ${total}`);
  }
});

test('a hostile regular expression ends', async () => {
  const [[total] = []] = await readFor('small', ['/(a*)*(a|aa)*b?(x+x+)+y/']);
  assert.equal(total, 0);
});
