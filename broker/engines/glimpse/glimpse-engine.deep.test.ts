import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../../../query/index.ts';
import { type Oid, oidOf, type ServerId, type SummaryObject, summaryObject } from '../../../soif/index.ts';
import type { GlimpseSize } from '../../settings.ts';
import { glimpseOnDisk } from '../../testing/glimpse.ts';
import type { IndexChange } from '../model/search-engine.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;

const filler = 'lorem ipsum dolor sit amet consectetur adipiscing elit';

/** Pages, of which every hundredth has a topic. Returns the numbers of matches and of reads. */
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
  const counts: [number, number][] = [];
  for (const text of queries) {
    const { total, scanned } = await engine.search({ query: parseQuery(text).query, limit: 0, offset: 0 });
    assert.equal(scanned?.of, 1_000);
    counts.push([total, scanned.read]);
  }
  return counts;
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

test('with places words, phrases and NEAR need no reading, in one attribute, by case, or in part', async () => {
  const exact = [
    'Title: kettle',
    '#case Kettle',
    '#case kettle',
    '#part ettl',
    '"kettle code"~1',
    'Title: "a kettle"',
  ];
  const counts = await readFor('medium', [...selective, ...exact]);
  assert.deepEqual(
    counts.map(([total]) => total),
    [...[10, 10, 10, 10, 10, 10, 9, 0], ...[10, 10, 0, 10, 0, 10]],
  );
  // An expression alone examines more than words.
  for (const [at, [, read]] of counts.entries())
    assert.equal(read, selective[at]?.startsWith('/') ? 10 : 0, [...selective, ...exact][at]);
});

test('places are merged across chunks of objects, without deleted objects', async () => {
  await using fixture = await glimpseOnDisk('medium');
  const objects = new Map<Oid, SummaryObject>();
  await using engine = await fixture.open(async (oid) => objects.get(oid));
  const put = (n: number, text: string): IndexChange => {
    const url = `http://example.org/${n}`;
    const [oid, object] = [oidOf(gatherer, url), summaryObject(url, [['Title', text]])];
    objects.set(oid, object);
    return { kind: 'put', oid, object, source: 's' };
  };
  // Four batches in two chunks of 4096, then some of each again.
  for (let part = 0; part < 4; part++) {
    const from = part * 1_500;
    const texts = Array.from({ length: 1_500 }, (_, n) =>
      put(from + n, `red kettle ${(from + n) % 3 === 0 ? 'of' : 'for'} tea`),
    );
    await engine.apply(texts, part + 1);
  }
  await engine.apply(
    Array.from({ length: 600 }, (_, n) => put(n * 10, 'tea for kettles')),
    5,
  );
  await fixture.settled?.(engine);
  const ask = async (text: string) => {
    const { total, scanned } = await engine.search({ query: parseQuery(text).query, limit: 0, offset: 0 });
    return [total, scanned?.read];
  };
  assert.deepEqual(await ask('"kettle of tea"'), [1_800, 0]);
  assert.deepEqual(await ask('"kettle for tea"'), [3_600, 0]);
  assert.deepEqual(await ask('Title: "for kettles"'), [600, 0]);
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
