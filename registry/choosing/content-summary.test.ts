import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../../kernel/index.ts';
import { analyse } from '../../query/index.ts';
import { registryErrors } from '../errors.ts';
import {
  type ContentSummary,
  changedShare,
  isWorthSending,
  printSummary,
  readSummary,
} from './content-summary.ts';
import { ServerSelector } from './server-selector.ts';
import { type SummaryFacts, summarise } from './telling-words.ts';

const { code } = registryErrors.REGISTRY_ATTRIBUTE;

async function* listed(words: Iterable<readonly [string, number]>) {
  yield* words;
}

const facts = (objects: number, more: Partial<SummaryFacts> = {}): SummaryFacts => ({
  ...{ objects, bytes: 1_000_000, languages: [['en', objects]], ...more },
});

const word = (random: { next(): number }) =>
  Array.from({ length: 4 + Math.floor(random.next() * 8) }, () =>
    String.fromCharCode(97 + Math.floor(random.next() * 26)),
  ).join('');

/** A vocabulary with a few frequent and many rare words. */
function vocabulary(seed: number, size: number, objects: number): [string, number][] {
  const random = seededRandom(seed);
  return Array.from({ length: size }, (_, at) => [word(random), Math.ceil(objects / (1 + at / 10))]);
}

test('any vocabulary becomes a summary that fits and is read back as it was', async () => {
  const words = fc.array(
    fc.tuple(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.integer({ min: 1, max: 1e9 })),
    {
      maxLength: 3000,
    },
  );
  await fc.assert(
    fc.asyncProperty(
      words,
      fc.integer({ min: 1, max: 1e9 }),
      fc.integer({ min: 0, max: 1e12 }),
      async (all, objects, bytes) => {
        const clean = all.flatMap(([text, count]) =>
          analyse(text).map((token) => [token.word, count] as const),
        );
        const summary = await summarise(
          listed(clean),
          facts(objects, { bytes, languages: [['de', objects]] }),
        );
        const text = printSummary(summary);
        assert.ok(Buffer.byteLength(text) <= (bytes > 1e8 ? 60 * 1024 : 4096), `${text.length}`);
        const { terms, ...head } = readSummary(text, objects);
        const { terms: before, words: total, ...headBefore } = summary;
        assert.deepEqual(
          [...terms].sort(),
          [...before].map(([term, n]) => [term, Math.min(n, objects)]).sort(),
        );
        assert.deepEqual(
          { ...head, words: Math.max(head.words, total) },
          { ...headBefore, words: head.words },
        );
      },
    ),
    { numRuns: 60 },
  );
});

test('a small Broker has a summary of at most 4 KiB, and one with more than 100 MB of text has a larger one', async () => {
  const words = vocabulary(1, 50_000, 100_000);
  const small = await summarise(listed(words), facts(100_000, { bytes: 99_000_000 }));
  const large = await summarise(listed(words), facts(100_000, { bytes: 101_000_000 }));
  const [smallBytes, largeBytes] = [small, large].map((one) => Buffer.byteLength(printSummary(one)));
  assert.ok((smallBytes ?? 0) <= 4096 && (smallBytes ?? 0) > 4000, `${smallBytes}`);
  assert.ok((largeBytes ?? 0) <= 60 * 1024 && (largeBytes ?? 0) > 60_000, `${largeBytes}`);
});

test('what is no summary is refused with the reason', () => {
  const head = '1 objects=9 bytes=100 words=50 en=9';
  const faults: readonly (readonly [string, RegExp])[] = [
    ['', /no head/],
    ['2 objects=9 bytes=100 words=50 en=9', /no head/],
    ['1 objects=-9 bytes=100 words=50 en=9', /no head/],
    ['1 objects=9 bytes=100 words=50', /names no known language/],
    ['1 objects=9 bytes=100 words=50 xx=9', /names no known language/],
    ['1 objects=9999999999999999 bytes=1 words=1 en=1', /number too large/],
    [`${head}\n5 tide\n5 harbour`, /smaller class/],
    [`${head}\n5 tide\n6 harbour`, /smaller class/],
    [`${head}\n1e9 tide`, /smaller class/],
    [`${head}\n999 tide`, /smaller class/],
    [`${head}\n5 tide tide`, /twice/],
    [`${head}\n5 tide\n4 tide`, /twice/],
    [`${head}\n5 tide  harbour`, /empty or endless word/],
    [`${head}\n5 ${'x'.repeat(65)}`, /empty or endless word/],
    [`${head}\n5 ${Array.from({ length: 1000 }, (_, n) => `word${n}`).join(' ')}`, /longer than 4096 bytes/],
    ['x'.repeat(70_000), /longer than 60 KiB/],
    [`${head}\n5 ${'x y '.repeat(20_000)}`, /longer than 60 KiB/],
  ];
  for (const [text, message] of faults)
    assert.throws(() => readSummary(text, 9), { code, message }, text.slice(0, 60));
});

test('a summary claims no more than its number of objects, and a liar takes one place only', () => {
  const largest = Number.MAX_SAFE_INTEGER;
  const lie = `1 objects=${largest} bytes=${largest} words=1 en=${largest}\n106 tide harbour mooring`;
  const cut = readSummary(lie, 40);
  assert.deepEqual([cut.objects, cut.words, cut.languages], [40, 120, [['en', 40]]]);
  assert.deepEqual(
    [...cut.terms],
    [
      ['tide', 40],
      ['harbour', 40],
      ['mooring', 40],
    ],
  );
  const others = Array.from({ length: 20 }, (_, n) => {
    const text = `1 objects=100 bytes=1000 words=900 en=100\n${n % 12} tide\n${n % 7 === 6 ? 0 : ''}`;
    return readSummary(`${text.trim()}${n % 7 === 6 && n % 12 > 0 ? ' harbour' : ''}`, 100);
  });
  const firstOf = (selector: ServerSelector) =>
    selector
      .rank('tide harbour')
      .flatMap(({ id }) => (id === 'liar' ? [] : [id]))
      .slice(0, 5)
      .sort();
  const selector = new ServerSelector();
  for (const [n, summary] of others.entries()) selector.put(`b${n}`, summary);
  const honest = firstOf(selector);
  selector.put('liar', readSummary(lie, largest));
  assert.deepEqual(firstOf(selector), honest);
});

test('a large Broker with many objects on a word comes before a tiny one with a single object', () => {
  const selector = new ServerSelector();
  const of = (objects: number, words: number, half: number) =>
    readSummary(`1 objects=${objects} bytes=1 words=${words} en=${objects}\n${half} tide`, objects);
  selector.put('tiny', of(1, 40, 0));
  selector.put('large', of(1_000_000, 90_000_000, 25));
  selector.put('other', readSummary('1 objects=5000 bytes=1 words=90000 en=5000\n9 moor', 5000));
  assert.deepEqual(
    selector.rank('tides').map(({ id, score }) => [id, score > 0]),
    [
      ['large', true],
      ['tiny', true],
      ['other', false],
    ],
  );
});

test('the selector forgets Brokers and takes new summaries in their place', () => {
  const selector = new ServerSelector();
  const of = (text: string) => readSummary(`1 objects=9 bytes=1 words=90 en=9\n3 ${text}`, 9);
  for (let round = 0; round < 30; round++)
    for (let n = 0; n < 100; n++) selector.put(`b${n}`, of(round % 2 === n % 2 ? 'tide' : 'moor'));
  for (let n = 1; n < 100; n++) selector.delete(`b${n}`);
  selector.put('b1', of('tide'));
  const found = selector.rank('tide');
  assert.deepEqual(
    found.map(({ id, score }) => [id, score > 0]),
    [
      ['b1', true],
      ['b0', false],
    ],
  );
});

test('a summary is not worth sending again after one object of a hundred changed, and is after many', async () => {
  const before = vocabulary(3, 20_000, 5000);
  const now = (share: number, seed: number): [string, number][] => {
    const random = seededRandom(seed);
    const other = vocabulary(seed, 20_000, 5000);
    return before.flatMap(([text, count], at): [string, number][] => {
      const replaced = Math.round(count * share * 2 * random.next());
      const [another, many] = other[at] as [string, number];
      return [
        [text, Math.max(1, count - replaced)],
        [another, Math.max(1, Math.round(many * share))],
      ];
    });
  };
  const summaryOf = (words: readonly [string, number][]): Promise<ContentSummary> =>
    summarise(listed(words), facts(5000));
  const [last, little, much] = [
    await summaryOf(before),
    await summaryOf(now(0.01, 4)),
    await summaryOf(now(0.5, 4)),
  ];
  assert.ok(!isWorthSending(last, little), `${changedShare(last, little)}`);
  assert.ok(isWorthSending(last, much), `${changedShare(last, much)}`);
  assert.ok(isWorthSending({ ...last, terms: new Map() }, last));
  assert.ok(isWorthSending(last, { ...last, languages: [['de', 5000]] }));
});
