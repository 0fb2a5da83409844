import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../../../kernel/index.ts';
import { BitReader, BitWriter } from '../codecs/bit-codec.ts';
import { engineErrors } from '../errors.ts';
import { readAscending, readCount, writeAscending, writeCount } from './interpolative-code.ts';
import { encodeLists, inBlocks, listFor, type ObjectList, StoredLists } from './object-lists.ts';

const ascending = (min: number, max: number) =>
  fc
    .uniqueArray(fc.integer({ min: min, max: max }), { minLength: 1, maxLength: 40 })
    .map((numbers) => numbers.sort((a, b) => a - b));

test('ascending numbers and counts are read as they were written', () => {
  const range = fc
    .tuple(fc.nat(2 ** 28), fc.nat(25), fc.nat(2 ** 25))
    .map(([min, bits, width]) => [min, min + (width % 2 ** bits) + 39] as const);
  const written = range.chain(([min, max]) =>
    fc.record({ min: fc.constant(min), max: fc.constant(max), numbers: ascending(min, max) }),
  );
  fc.assert(
    fc.property(fc.array(written, { maxLength: 5 }), (lists) => {
      const writer = new BitWriter();
      for (const { min, max, numbers } of lists) {
        writeCount(writer, numbers.length);
        writeAscending(writer, numbers, min, max);
      }
      const bytes = writer.take();
      const reader = new BitReader(bytes, 0, bytes.length);
      for (const { min, max, numbers } of lists) {
        const count = readCount(reader);
        assert.deepEqual(readAscending(reader, count, min, max), numbers);
      }
      reader.check();
    }),
  );
});

test('a list that fills its range takes no bits, and a cluster few', () => {
  const bits = (numbers: readonly number[]) => {
    const writer = new BitWriter();
    writeAscending(writer, numbers, 0, 4095);
    return writer.take().length * 8;
  };
  assert.equal(bits(Array.from({ length: 4096 }, (_, at) => at)), 0);
  const cluster = bits(Array.from({ length: 64 }, (_, at) => 1000 + at));
  const spread = bits(Array.from({ length: 64 }, (_, at) => 63 * at + ((at * at) % 60)));
  assert.ok(cluster * 3 < spread, `${cluster} and ${spread}`);
});

const [from, to] = [1000, 1300];
const lists = fc.array(ascending(from, to), { minLength: 1, maxLength: 100 });
const spans = fc.constantFrom(0, 3).map((blockBits) => ({ from, to, blockBits }));
const exact = (blocks: readonly number[]): ObjectList => ({ blockBits: 0, blocks });

test('each list is read as it was written, in objects or in blocks, alone and with the others', () => {
  fc.assert(
    fc.property(lists, spans, (docnos, span) => {
      const written = docnos.map((blocks) => listFor(span, exact(blocks)));
      const stored = new StoredLists(encodeLists(written, span), written.length, span);
      assert.deepEqual([...stored.all()], written);
      for (const [at, list] of written.entries()) assert.deepEqual(stored.at(at), list);
    }),
  );
});

test('a common word lists blocks with all its objects; a rare word and a small size list objects', () => {
  const many = Array.from({ length: 100 }, (_, at) => from + 3 * at);
  const common = listFor({ from, to, blockBits: 3 }, exact(many));
  assert.equal(common.blockBits, 3);
  assert.deepEqual(common.blocks, [...new Set(many.map((docno) => docno >>> 3))]);
  assert.deepEqual(inBlocks(common, 3), common);
  assert.deepEqual(listFor({ from, to, blockBits: 3 }, exact(many.slice(0, 16))), exact(many.slice(0, 16)));
  assert.deepEqual(listFor({ from, to, blockBits: 0 }, exact(many)), exact(many));
});

test('damaged lists are reported as damaged, and end', () => {
  fc.assert(
    fc.property(lists, spans, fc.nat(), fc.integer({ min: 1, max: 255 }), (docnos, span, where, by) => {
      const bytes = encodeLists(
        docnos.map((blocks) => listFor(span, exact(blocks))),
        span,
      );
      const at = where % bytes.length;
      bytes[at] = (bytes[at] as number) ^ by;
      try {
        const read = [...new StoredLists(bytes, docnos.length, span).all()];
        assert.equal(read.length, docnos.length);
        for (const { blockBits, blocks } of read)
          assert.ok(blocks.every((block) => block >= from >>> blockBits && block <= to >>> blockBits));
      } catch (error) {
        assert.ok(isGarnerError(error, engineErrors.ENGINE_DAMAGED), String(error));
      }
    }),
  );
});
