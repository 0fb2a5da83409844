import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteWriter, isGarnerError, Pacing } from '../../../kernel/index.ts';
import { BitReader, BitWriter, maxRice, readerOf, riceFor } from '../codecs/bit-codec.ts';
import { allPositions, PositionEncoder, readPositions, readStarts } from '../codecs/position-codec.ts';
import {
  decodePostings,
  encodePostings,
  filteredPostings,
  joinPostings,
  type Postings,
  rebasedPostings,
  resolution,
} from '../codecs/posting-codec.ts';
import { engineErrors } from '../errors.ts';
import {
  byUtf8,
  decodeWords,
  encodeWords,
  inUtf8Order,
  sortedByUtf8,
  type WordCount,
} from '../vocabulary/word-blocks.ts';
import { PostingIndex } from './posting-index.ts';
import { blockEntries, findInBlock, presentInBlock, TermBlockWriter } from './term-block.ts';

const docno = fc.oneof(fc.nat(300), fc.nat(0xffff_fffe));

function postingsAt(...numbers: number[]): Postings {
  return {
    docnos: Uint32Array.from(numbers),
    slots: Uint8Array.from(numbers, (number) => number % resolution),
    occurrences: numbers.length,
  };
}

test('numbers below 2^32 are restored, damaged bytes are a typed error', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff_ffff)), (numbers) => {
      const writer = new ByteWriter();
      for (const number of numbers) writer.varint(number);
      const bytes = writer.take();
      const reader = readerOf(bytes);
      assert.deepEqual(
        numbers.map(() => reader.varint()),
        numbers,
      );
      assert.ok(reader.done);
    }),
  );
  for (const bytes of [[], [128], [255, 255, 255, 255, 255, 255]])
    assert.throws(
      () => readerOf(Uint8Array.from(bytes)).varint(),
      (error) => isGarnerError(error, engineErrors.ENGINE_DAMAGED),
    );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      for (const decode of [
        () => decodePostings(bytes, 0),
        () => decodeWords(bytes),
        () => [...blockEntries(bytes)],
        () => readPositions({ postings: postingsAt(1, 5), value: bytes }, Uint32Array.of(1, 5), []),
        () => readPositions({ postings: postingsAt(5), value: bytes }, Uint32Array.of(1, 5), []),
      ]) {
        try {
          decode();
        } catch (error) {
          assert.ok(isGarnerError(error, engineErrors.ENGINE_DAMAGED));
        }
      }
    }),
    // A word that shares more with the one before than that one has.
    {
      numRuns: 1000,
      examples: [
        [Uint8Array.of(255, 128, 128, 128, 128, 2, 0)],
        [Uint8Array.of(0, 255, 128, 128, 128, 128, 2, 0)],
      ],
    },
  );
});

test('bits are read as written, whatever is between them', () => {
  const number = fc.oneof(fc.nat(40), fc.nat(0xffff), fc.nat(0xffff_ffff));
  fc.assert(
    fc.property(fc.array(fc.tuple(number, fc.nat(maxRice), fc.nat(16)), { maxLength: 60 }), (numbers) => {
      const writer = new BitWriter();
      for (const [value, k, width] of numbers) {
        writer.rice(value, k);
        writer.bits(value & ((1 << width) - 1), width);
      }
      const bytes = writer.take();
      const reader = new BitReader(bytes, 0, bytes.length);
      for (const [value, k, width] of numbers) {
        assert.equal(reader.rice(k), value);
        assert.equal(reader.bits(width), value & ((1 << width) - 1));
      }
      reader.check();
      reader.bits(8);
      assert.throws(
        () => reader.check(),
        (error) => isGarnerError(error, engineErrors.ENGINE_DAMAGED),
      );
    }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.nat(0xffff_ffff)), (mean) => {
      const nearest = Math.floor(Math.log2(0.69 * mean + 0.01) + 0.5);
      assert.equal(riceFor(mean), Math.min(maxRice, Math.max(0, nearest)));
    }),
  );
});

test('postings are restored in docno order with their slots, also on another base and joined', () => {
  const some = fc.uniqueArray(docno, { minLength: 1, maxLength: 60 }).map((all) => all.sort((a, b) => a - b));
  fc.assert(
    fc.property(some, fc.infiniteStream(fc.nat(resolution - 1)), fc.nat(300), (numbers, slots, more) => {
      const postings: Postings = {
        docnos: Uint32Array.from(numbers),
        slots: Uint8Array.from(numbers, () => slots.next().value as number),
        occurrences: numbers.length + more,
      };
      const base = numbers[0] as number;
      for (const from of [0, base, Math.floor(base / 2)]) {
        const encoded = encodePostings(postings, from);
        assert.deepEqual(decodePostings(encoded, from), postings);
        assert.deepEqual(decodePostings(rebasedPostings(encoded, from), 0), postings);
      }
      const remaining = filteredPostings(postings, (number) => number % 3 !== 0);
      assert.deepEqual(
        [...remaining.docnos],
        numbers.filter((number) => number % 3 !== 0),
      );
      for (const [index, number] of remaining.docnos.entries())
        assert.equal(remaining.slots[index], postings.slots[numbers.indexOf(number)]);
      const half = Math.floor(numbers.length / 2);
      const part = (from: number, to: number) => ({
        docnos: postings.docnos.subarray(from, to),
        slots: postings.slots.subarray(from, to),
        occurrences: to - from,
      });
      const joined = joinPostings([part(0, half), part(half, numbers.length)]);
      assert.deepEqual([joined.docnos, joined.slots], [postings.docnos, postings.slots]);
    }),
  );
});

test('positions are read for the wanted objects only', () => {
  const positions = fc
    .uniqueArray(fc.oneof(fc.nat(60), fc.nat(5000), fc.nat(0xffff_fff0)), { minLength: 1, maxLength: 9 })
    .map((all) => all.sort((a, b) => a - b));
  const lists = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), positions), {
    minLength: 1,
    maxLength: 200,
  });
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 40 }), (objects, every) => {
      const encoder = new PositionEncoder();
      const numbers: number[] = [];
      let [number, occurrences] = [10, 0];
      for (const [step, places] of objects) {
        number += step;
        numbers.push(number);
        occurrences += places.length;
        encoder.add(
          places.map((place) => place + 5),
          0,
          places.length,
          5,
        );
      }
      const stored = { postings: { ...postingsAt(...numbers), occurrences }, value: encoder.take() };
      assert.deepEqual(
        [...allPositions(stored)],
        objects.map(([, places]) => places),
      );
      const wanted = Uint32Array.from({ length: number }, (_, at) => at).filter((at) => at % every === 0);
      const expected = Array.from(wanted, (at) => objects[numbers.indexOf(at)]?.[1]);
      const found: (readonly number[] | undefined)[] = new Array(wanted.length).fill(undefined);
      readPositions(stored, wanted, found);
      assert.deepEqual(found, expected);
      const odd = expected.map((list) => list?.filter((position) => position % 2 === 1));
      const narrowed: (number[] | undefined)[] = new Array(wanted.length).fill(undefined);
      const shifted = odd.map((list) => list?.map((position) => position - 2));
      readStarts(stored, wanted, 2, shifted, narrowed);
      assert.deepEqual(
        narrowed,
        shifted.map((list) => (list?.length === 0 ? undefined : list)),
      );
    }),
  );
});

test('a block returns its terms, and finds each by its key', () => {
  const value = fc.uint8Array({ maxLength: 40 });
  const term = fc.tuple(fc.string({ unit: 'binary', maxLength: 30 }), value, value);
  fc.assert(
    fc.property(fc.uniqueArray(term, { selector: ([name]) => name }), (terms) => {
      const short = (bytes: Uint8Array) => (bytes.length === 0 ? undefined : bytes);
      const entries = terms
        .map(([name, postings, positions]) => ({
          key: Uint8Array.from([3, ...Buffer.from(name)]),
          postings: short(postings),
          positions: short(positions),
        }))
        .sort((a, b) => Buffer.compare(a.key, b.key))
        // Lone surrogates may share their UTF-8.
        .filter(({ key }, at, all) => at === 0 || Buffer.compare(key, all[at - 1]?.key as Uint8Array) > 0);
      const writer = new TermBlockWriter();
      for (const entry of entries) writer.add(entry);
      const block = writer.take();
      assert.deepEqual(
        [...blockEntries(block)],
        entries.map((entry, number) => ({ ...entry, number })),
      );
      for (const [number, entry] of entries.entries()) {
        assert.deepEqual(findInBlock(block, entry.key), { ...entry, number });
        const near = [
          [...entry.key, 0, 0],
          [...entry.key.subarray(0, -1)],
          [...entry.key.subarray(0, -1), 0],
        ];
        for (const key of near.map((bytes) => Uint8Array.from(bytes)))
          if (entries.every((other) => Buffer.compare(other.key, key) !== 0))
            assert.equal(findInBlock(block, key), undefined);
      }
      // A key continued with zeros may be that of another entry, or sort after it.
      const wanted = entries
        .flatMap(({ key }) => [key, Uint8Array.from([...key, 0, 0])])
        .sort((a, b) => Buffer.compare(a, b));
      assert.deepEqual(
        presentInBlock(block, wanted),
        wanted.map((key) => entries.some((other) => Buffer.compare(other.key, key) === 0)),
      );
      assert.equal(writer.count, 0);
    }),
    {
      examples: [
        [
          [
            ['', new Uint8Array(), new Uint8Array()],
            ['\u0000', new Uint8Array(), new Uint8Array()],
          ],
        ],
      ],
    },
  );
});

test('texts are sorted as their UTF-8 is', async () => {
  const bytes = (text: string) => Buffer.from(text).toString('hex');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary' })), fc.boolean(), async (some, many) => {
      // So many that they are sorted in groups.
      const texts = many ? Array.from({ length: 2500 }, (_, at) => `${some[at % 7] ?? ''}${at % 900}`) : some;
      const expected = texts.map(bytes).sort();
      assert.deepEqual(inUtf8Order([...texts]).map(bytes), expected);
      const sorted: string[] = [];
      for await (const group of sortedByUtf8(texts, new Pacing(500))) sorted.push(...group);
      assert.deepEqual(sorted.map(bytes), expected);
    }),
    { examples: [[['\uff21', '\u{1f600}', 'a'], true]], numRuns: 40 },
  );
});

test('words are restored from their blocks', () => {
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

test('FlexSearch passes stored lists on, its reserved names among the terms', async () => {
  const stored = postingsAt(7, 9);
  const index = new PostingIndex(async (term) => (term.includes('o') ? stored : postingsAt()));
  for (const term of ['connect', 'constructor', '__proto__', 'hasOwnProperty', 'two words'])
    assert.equal(await index.postings(term), stored);
  assert.equal((await index.postings('a')).docnos.length, 0);
});
