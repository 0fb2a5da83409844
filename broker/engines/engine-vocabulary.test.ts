import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyse, termOf } from '../../query/index.ts';
import { type Oid, oidOf, type ServerId, type SummaryObject, summaryObject } from '../../soif/index.ts';
import type { EngineFixture } from '../testing/engine-conformance.ts';
import { glimpseOnDisk } from '../testing/glimpse.ts';
import { flexsearchOnDisk } from '../testing/segmented-engine.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;
const texts = [
  'The harbour and the tide of the harbour',
  'Tides in two harbours',
  'A lighthouse near harbour walls',
  '潮の干満と港',
  'Gone with the wind',
];

const objects = new Map<Oid, SummaryObject>(
  texts.map((text, n) => {
    const url = `http://example.org/${n}`;
    const attributes = [['Full-Text', text] as const, ['Update-Time', `1000${n}`] as const];
    return [oidOf(gatherer, url), summaryObject(url, attributes)];
  }),
);

/** Number of objects by English term. */
function counted(words: Iterable<readonly [string, number]>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [word, n] of words) counts.set(termOf(word), (counts.get(termOf(word)) ?? 0) + n);
  return counts;
}

/** Number of texts by English term. */
function termsOf(all: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of all)
    for (const term of new Set(analyse(text).map((token) => token.term)))
      counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

const fixtures: Readonly<Record<string, () => Promise<EngineFixture>>> = {
  flexsearch: flexsearchOnDisk,
  glimpse: () => glimpseOnDisk('medium'),
};

for (const [name, onDisk] of Object.entries(fixtures))
  test(`${name}: the vocabulary has every word of bare words with its number of objects`, async () => {
    await using fixture = await onDisk();
    await using engine = await fixture.open(async (oid) => objects.get(oid));
    const listed = async () => {
      const words: (readonly [string, number])[] = [];
      for await (const one of engine.vocabulary?.() ?? []) words.push(one);
      return words;
    };
    assert.deepEqual(await listed(), []);
    // One segment each, so that words of several segments add up.
    let lsn = 0;
    for (const [oid, object] of objects)
      await engine.apply([{ kind: 'put', oid, object, source: 's' }], ++lsn);
    const last = [...objects.keys()].at(-1) as Oid;
    await engine.apply([{ kind: 'remove', oid: last }], ++lsn);
    await fixture.settled?.(engine);
    const counts = counted(await listed());
    for (const [term, n] of termsOf(texts.slice(0, -1))) {
      assert.equal(counts.get(term), n, term);
    }
    assert.equal(counts.get('潮の'), 1);
    assert.equal(counts.has('10000'), false);
  });

test('glimpse: a word that is listed by blocks of objects counts no more objects than there are', async () => {
  await using fixture = await glimpseOnDisk('tiny');
  await using engine = await fixture.open(async (oid) => objects.get(oid));
  const changes = Array.from({ length: 100 }, (_, n) => {
    const url = `http://example.org/${n}`;
    const object = summaryObject(url, [['Full-Text', n % 10 === 0 ? 'harbour' : 'tide']]);
    return { kind: 'put', oid: oidOf(gatherer, url), object, source: 's' } as const;
  });
  await engine.apply(changes, 1);
  const counts = new Map<string, number>();
  for await (const [word, n] of engine.vocabulary?.() ?? []) counts.set(word, n);
  const [tide = 0, harbour = 0] = [counts.get('tide'), counts.get('harbour')];
  assert.ok(tide >= 90 && tide <= 100 && harbour === 10, `${tide} ${harbour}`);
});
