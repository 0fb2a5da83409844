import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../../../query/index.ts';
import { oidOf, type ServerId, summaryObject } from '../../../soif/index.ts';
import { engineConformance } from '../../engine-conformance.ts';
import type { IndexChange } from '../../search-engine.ts';
import { glimpseOnDisk } from './glimpse-fixture.test.ts';
import { type GlimpseSize, glimpseSizes } from './glimpse-size.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;

for (const size of glimpseSizes)
  engineConformance(`glimpse ${size}`, { durable: true }, () => glimpseOnDisk(size));

const filler = 'lorem ipsum dolor sit amet consectetur adipiscing elit';

/** Pages of which every hundredth is about something; read of them is what is told. */
async function readFor(size: GlimpseSize, queries: readonly string[]): Promise<readonly [number, number][]> {
  await using fixture = await glimpseOnDisk(size);
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
