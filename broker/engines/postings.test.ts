import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../../kernel/index.ts';
import { termsOf } from '../../query/index.ts';
import { ByteReader, ByteWriter, pushVarint } from './byte-codec.ts';
import { intersect, seek, subtract, unite, uniteAll } from './doc-set.ts';
import { engineErrors } from './errors.ts';
import { impactSlot, inverseFrequency, slotWeight } from './impact.ts';
import { pieces } from './index-fields.ts';
import type { Segment } from './index-state.ts';
import { appendPositions, PositionList, readStarts } from './position-codec.ts';
import { PostingCache } from './posting-cache.ts';
import {
  decodeSlots,
  encodeTerm,
  inlinePositions,
  occurrencesIn,
  postingsOf,
  resolution,
  type Slots,
} from './posting-codec.ts';
import { PostingIndex } from './posting-index.ts';
import { bestOf } from './ranking.ts';
import { planMerge } from './segment-merge.ts';
import { byUtf8, decodeWords, encodeWords, type WordCount } from './word-blocks.ts';

const docno = fc.oneof(fc.nat(300), fc.nat(0xffff_fffe));
const docnos = fc.uniqueArray(docno, { maxLength: 60 }).map((all) => all.sort((a, b) => a - b));

test('numbers below 2^32 come back, damaged bytes are a typed error', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff_ffff)), (numbers) => {
      const writer = new ByteWriter();
      const list: number[] = [];
      for (const number of numbers) {
        writer.varint(number);
        pushVarint(list, number);
      }
      const bytes = writer.take();
      assert.deepEqual([...bytes], list);
      const reader = new ByteReader(bytes);
      assert.deepEqual(
        numbers.map(() => reader.varint()),
        numbers,
      );
      assert.ok(reader.done);
    }),
  );
  for (const bytes of [[], [128], [255, 255, 255, 255, 255, 255]])
    assert.throws(
      () => new ByteReader(Uint8Array.from(bytes)).varint(),
      (error) => isGarnerError(error, engineErrors.ENGINE_DAMAGED),
    );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      for (const decode of [
        () => decodeSlots(bytes, 0, []),
        () => decodeWords(bytes),
        () => readStarts(bytes, 0, Uint32Array.of(1, 5), 0, undefined, []),
      ]) {
        try {
          decode();
        } catch (error) {
          assert.ok(isGarnerError(error, engineErrors.ENGINE_DAMAGED));
        }
      }
    }),
    // A word that shares more with the one before it than that has.
    { numRuns: 1000, examples: [[Uint8Array.of(128, 128, 128, 128, 2, 0)]] },
  );
});

test('postings come back in docno order with their slots, dead ones left out', () => {
  const entries = fc
    .tuple(docnos, fc.infiniteStream(fc.nat(resolution - 1)))
    .map(([all, slots]) => all.map((number) => [number, slots.next().value as number] as const));
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 40 }), (all, times) => {
      const list = new PositionList(0);
      for (const [number] of all)
        list.add(
          number,
          Array.from({ length: times }, (_, place) => place * 200),
        );
      const positions = list.bytes;
      const slots: Slots = [];
      for (const [number, slot] of all) {
        slots[slot] ??= [];
        slots[slot].push(number);
      }
      const encoded = encodeTerm(slots, positions, 0);
      assert.deepEqual([...(inlinePositions(encoded.postings) ?? encoded.positions ?? [])], [...positions]);
      assert.equal(occurrencesIn(encoded.postings), all.length * times);
      const decoded: Slots = [];
      decodeSlots(encoded.postings, 0, decoded, (number) => number % 3 !== 0);
      const kept = all.filter(([number]) => number % 3 !== 0);
      const postings = postingsOf(decoded, 0);
      assert.deepEqual(
        [...postings.docnos],
        kept.map(([number]) => number),
      );
      assert.deepEqual(
        [...postings.slots],
        kept.map(([, slot]) => slot),
      );
    }),
  );
});

test('positions are read for the wanted objects only, also after merging', () => {
  const lists = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 40 }), fc.uniqueArray(fc.nat(5000), { minLength: 1, maxLength: 9 })),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(lists, lists, docnos, (first, second, wanted) => {
      const all = new Map<number, number[]>();
      const merged = new ByteWriter();
      let last = 10;
      let number = 10;
      for (const part of [first, second]) {
        const base = number;
        const list = new PositionList(base);
        for (const [step, positions] of part) {
          number += step;
          const sorted = positions.sort((a, b) => a - b);
          list.add(number, sorted);
          if (number % 4 !== 0) all.set(number, sorted);
        }
        last = appendPositions(merged, last, Uint8Array.from(list.bytes), base, (at) => at % 4 !== 0);
      }
      const bytes = merged.take();
      const expected = wanted.map((at) => all.get(at));
      const found: (number[] | undefined)[] = wanted.map(() => undefined);
      readStarts(bytes, 10, Uint32Array.from(wanted), 0, undefined, found);
      assert.deepEqual(found, expected);
      const odd = expected.map((list) => list?.filter((position) => position % 2 === 1));
      const narrowed: (number[] | undefined)[] = wanted.map(() => undefined);
      readStarts(
        bytes,
        10,
        Uint32Array.from(wanted),
        2,
        odd.map((list) => list?.map((position) => position - 2)),
        narrowed,
      );
      assert.deepEqual(
        narrowed,
        odd.map((list) =>
          list === undefined || list.length === 0 ? undefined : list.map((position) => position - 2),
        ),
      );
    }),
  );
});

test('set algebra is what sets say', () => {
  fc.assert(
    fc.property(docnos, docnos, docno, (a, b, wanted) => {
      const [left, right] = [Uint32Array.from(a), Uint32Array.from(b)];
      const sorted = (values: Iterable<number>) => [...new Set(values)].sort((x, y) => x - y);
      assert.deepEqual(
        [...intersect(left, right)],
        a.filter((value) => b.includes(value)),
      );
      assert.deepEqual([...unite(left, right)], sorted([...a, ...b]));
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

test('the best are those a full sort puts first', () => {
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
        const text = unit.join('').repeat(2_000);
        assert.equal([...pieces(text)].join(''), text);
        assert.deepEqual([...pieces(text)].flatMap(termsOf), termsOf(text));
      },
    ),
    { numRuns: 20 },
  );
});

test('words come back from their blocks', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(1e6)), {
        selector: ([word]) => word,
      }),
      (words: WordCount[]) => {
        const sorted = words.sort(byUtf8);
        assert.deepEqual(decodeWords(encodeWords(sorted)), sorted);
        for (const [index, [word]] of sorted.entries())
          assert.ok(
            index === 0 || Buffer.compare(Buffer.from(sorted[index - 1]?.[0] ?? ''), Buffer.from(word)) < 0,
          );
      },
    ),
  );
});

test('FlexSearch files terms into slots, and keeps none of its own reserved names apart', async () => {
  const index = new PostingIndex();
  index.add(1, ['constructor', 'a'], (term) => (term === 'a' ? 31 : 0));
  index.add(2, ['constructor', 'hasownproperty'], () => 0);
  const taken = await index.take();
  assert.deepEqual(taken.get('constructor'), [[1, 2]]);
  assert.deepEqual(taken.get('a')?.[31], [1]);
  assert.deepEqual(taken.get('hasownproperty'), [[2]]);
  assert.equal((await index.take()).size, 0);
  const reading = new PostingIndex(async (term) => (term === 'connect' ? [[7], undefined, [9]] : []));
  assert.deepEqual(await reading.slots('connect'), [[7], undefined, [9]]);
  assert.deepEqual(await reading.slots('connecting'), []);
});

test('the cache forgets the least recently used and stays within its bytes', () => {
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
  let most = 0;
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
    most = Math.max(most, segments.length);
  }
  assert.ok(most <= 40, `${most} segments`);
  assert.ok(written / (changes * 10_000) < 8, `each byte was written ${written / (changes * 10_000)} times`);
  const worn: Segment = { id: 1, from: 1, to: 100, docs: 100, dead: 70, bytes: 1 };
  assert.deepEqual(planMerge([worn]), [worn]);
  assert.deepEqual(planMerge([{ ...worn, dead: 30 }]), []);
});
