import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Pacing } from '../../../kernel/index.ts';
import { termOf, termsOf } from '../../../query/index.ts';
import { resolution } from '../codecs/posting-codec.ts';
import { pieces } from '../index-database/index-fields.ts';
import type { Segment } from '../index-database/index-state.ts';
import { intersect, seek, subtract, unite, uniteAll } from '../model/doc-set.ts';
import { bestOf } from '../scoring/best-scores.ts';
import { planMerge } from '../segments/segment-upkeep.ts';
import { TokenLists } from '../segments/token-lists.ts';
import { TermNumbers } from '../vocabulary/term-numbers.ts';
import { TermReader } from '../vocabulary/term-reader.ts';
import { WordTable } from '../vocabulary/word-table.ts';
import { impactSlot, inverseFrequency, slotWeight } from './impact.ts';
import { PostingCache } from './posting-cache.ts';

const docno = fc.oneof(fc.nat(300), fc.nat(0xffff_fffe));
const docnos = fc.uniqueArray(docno, { maxLength: 60 }).map((all) => all.sort((a, b) => a - b));

test('tokens are sorted by term and keep their objects and places', async () => {
  const texts = fc.array(fc.array(fc.integer({ min: -1, max: 5 }), { maxLength: 12 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(texts, async (objects) => {
      const gap = 6;
      const lists = new TokenLists(gap, 1);
      for (const [index, tokens] of objects.entries()) {
        lists.begin(7 + 2 * index);
        let from = 0;
        for (const [at, token] of [...tokens, -1].entries()) {
          if (token >= 0) continue;
          lists.append(Int32Array.from(tokens.slice(from, at)));
          from = at + 1;
          if (at < tokens.length) lists.endValue();
        }
        const said = tokens.filter((token) => token >= 0);
        assert.equal(lists.lastLength, said.length);
      }
      const sorted = await lists.sorted(gap + 1, new Pacing(1000));
      for (let term = 0; term <= gap; term++) {
        const seen: [number, number[]][] = [];
        sorted.visit(term, (_object, number, from, to, origin) => {
          seen.push([number, Array.from(sorted.offsets.subarray(from, to), (offset) => offset - origin)]);
        });
        const expected = objects.flatMap((tokens, index): [number, number[]][] => {
          const values = withGaps(tokens, gap);
          const places = values.flatMap((token, place) => (token === term ? [place] : []));
          return places.length === 0 ? [] : [[7 + 2 * index, places]];
        });
        assert.deepEqual(seen, expected);
        assert.equal(sorted.occurrences(term), expected.flatMap(([, places]) => places).length);
      }
    }),
  );
});

/** The positions in one object, with a gap between two values that have tokens. */
function withGaps(tokens: readonly number[], gap: number): number[] {
  const values: number[][] = [[]];
  for (const token of tokens) {
    if (token < 0) values.push([]);
    else values.at(-1)?.push(token);
  }
  return values
    .filter((value) => value.length > 0)
    .flatMap((value, index) => (index === 0 ? value : [gap, ...value]));
}

test('set algebra agrees with sets', () => {
  fc.assert(
    fc.property(docnos, docnos, docno, (a, b, wanted) => {
      const [left, right] = [Uint32Array.from(a), Uint32Array.from(b)];
      const sorted = (values: Iterable<number>) => [...new Set(values)].sort((x, y) => x - y);
      assert.deepEqual(
        [...intersect(left, right)],
        a.filter((value) => b.includes(value)),
      );
      assert.deepEqual([...unite(left, right)], sorted([...a, ...b]));
      const many = Uint32Array.from({ length: 17 * (a.length + 1) }, (_, at) => 3 * at);
      assert.deepEqual([...unite(left, many)], sorted([...a, ...many]));
      assert.deepEqual(
        [...uniteAll([left, right, left, Uint32Array.of(wanted)])],
        sorted([...a, ...b, wanted]),
      );
      assert.deepEqual(
        [...subtract(left, right)],
        a.filter((value) => !b.includes(value)),
      );
      const at = seek(left, wanted, 0);
      assert.equal(at, a.filter((value) => value < wanted).length);
    }),
  );
});

test('the best are the first ones of a full sort', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 200 }), fc.nat(220), (scores, count) => {
      const expected = scores
        .map((_, index) => index)
        .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
      assert.deepEqual([...bestOf(Float64Array.from(scores), count)], expected.slice(0, count));
    }),
  );
});

test('impacts fall with length and rise with frequency; rare terms weigh more', () => {
  const weight = (frequency: number, length: number) =>
    slotWeight[impactSlot(frequency, length, 100)] as number;
  assert.ok(weight(5, 100) > weight(1, 100));
  assert.ok(weight(2, 50) > weight(2, 2000));
  assert.ok(inverseFrequency(1000, 1) > inverseFrequency(1000, 500));
  assert.ok(inverseFrequency(10, 20) > 0);
  for (const [frequency, length] of [
    [1, 1],
    [1e6, 1e6],
    [1, 1e9],
  ] as const) {
    const slot = impactSlot(frequency, length, 100);
    assert.ok(slot >= 0 && slot < resolution);
  }
});

test('a long text is read in pieces without losing a word or a position', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a ', 'c++ ', '東京', 'word', '\n', ' '), { maxLength: 50 }),
      (unit) => {
        const text = Buffer.from(unit.join('').repeat(2_000));
        const parts = Array.from(pieces(text), ([from, to]) => text.subarray(from, to));
        assert.deepEqual(Buffer.concat(parts), text);
        assert.deepEqual(
          parts.flatMap((part) => termsOf(part.toString())),
          termsOf(text.toString()),
        );
      },
    ),
    { numRuns: 20 },
  );
});

test('the cache drops the least recently used entries and stays within its bytes', () => {
  const cache = new PostingCache<string>(3_000, (value) => value.length);
  for (const key of ['a', 'b', 'c']) cache.set(key, 'x'.repeat(700));
  assert.equal(cache.get('a')?.length, 700);
  cache.set('d', 'x'.repeat(700));
  assert.equal(cache.get('b'), undefined);
  assert.equal(cache.get('a')?.length, 700);
  cache.set('huge', 'x'.repeat(4_000));
  assert.equal(cache.get('huge'), undefined);
  assert.ok(cache.bytes <= 3_000);
  for (const key of ['a', 'c', 'd']) cache.delete(key);
  assert.equal(cache.bytes, 0);
});

test('merging keeps segments few and rewrites each byte a few times', () => {
  let segments: Segment[] = [];
  let id = 0;
  let written = 0;
  let max = 0;
  const changes = 20_000;
  for (let change = 0; change < changes; change++) {
    segments.push({ id: id++, from: change, to: change, docs: 1, dead: 0, bytes: 10_000 });
    for (let chosen = planMerge(segments); chosen.length > 0; chosen = planMerge(segments)) {
      const at = segments.indexOf(chosen[0] as Segment);
      assert.deepEqual(segments.slice(at, at + chosen.length), chosen, 'neighbours');
      const sum = (of: (segment: Segment) => number) =>
        chosen.reduce((total, segment) => total + of(segment), 0);
      const merged = {
        id: id++,
        from: chosen[0]?.from ?? 0,
        to: chosen.at(-1)?.to ?? 0,
        docs: sum(({ docs }) => docs),
        dead: 0,
        bytes: sum(({ bytes }) => bytes),
      };
      written += merged.bytes;
      segments = [...segments.slice(0, at), merged, ...segments.slice(at + chosen.length)];
    }
    max = Math.max(max, segments.length);
  }
  assert.ok(max <= 40, `${max} segments`);
  assert.ok(written / (changes * 10_000) < 8, `each byte was written ${written / (changes * 10_000)} times`);
  const single = (id: number): Segment => ({ id, from: id, to: id, docs: 1, dead: 0, bytes: 10_000 });
  const changed = Array.from({ length: 16 }, (_, id) => single(id));
  assert.deepEqual(planMerge(changed.slice(1)), [], 'single changes wait until there are many');
  assert.deepEqual(planMerge(changed), changed);
  const worn: Segment = { id: 1, from: 1, to: 100, docs: 100, dead: 70, bytes: 1 };
  assert.deepEqual(planMerge([worn]), [worn]);
  assert.deepEqual(planMerge([{ ...worn, dead: 30 }]), []);
});

test('a text is read as the terms of its words, however many there are', () => {
  const word = fc.oneof(
    fc.constantFrom('Connected', 'connection', 'c++', 'été', '東京都', 'y'.repeat(70), '-'),
    fc.stringMatching(/^[a-zA-Z0-9]{1,4}$/),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 400 }), fc.constantFrom('en', 'fr', 'ja'), (words, language) => {
      const numbers = new TermNumbers();
      const reader = new TermReader(numbers);
      const text = Buffer.from(words.join(' ').repeat(100));
      numbers.speak(language);
      for (const object of [1, 2]) {
        const read: string[] = [];
        for (let at = 0; at < text.length; ) {
          at = reader.read(text, at, text.length, object);
          for (const term of reader.terms) read.push(numbers.name(term));
        }
        assert.deepEqual(read, termsOf(text.toString(), language));
      }
      const said = numbers.groups().flatMap((group = [], term) => {
        for (const one of group) assert.equal(numbers.name(term), termOf(one, language));
        return group;
      });
      assert.deepEqual(new Set(said), new Set(numbers.counted().keys()));
      for (const objects of numbers.counted().values()) assert.equal(objects, 2);
    }),
    { numRuns: 20 },
  );
});

test('words keep their numbers, those with equal hashes too', () => {
  // More words than the table has places at first, and more of one hash than are tried.
  const words = Array.from({ length: 20_000 }, (_, at) => Buffer.from(`word${at}`));
  const hashOf = (at: number) => (at % 100 === 0 ? 7 : at * 0x9e3779b1) | 0;
  const table = new WordTable();
  for (const again of [false, true])
    for (const [at, word] of words.entries()) {
      assert.equal(table.find(word, word.length, hashOf(at)), again ? at : -1);
      if (!again) assert.equal(table.add(word, word.length, hashOf(at)), at);
    }
  assert.equal(table.size, words.length);
});
