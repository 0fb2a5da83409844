import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteReader, ByteWriter } from './bytes.ts';

const readerOf = (bytes: Uint8Array, at?: number, end?: number) =>
  new ByteReader(bytes, (reason) => new RangeError(reason), at, end);

test('numbers up to 2^53 - 1 and bytes come back as they were written', () => {
  const part = fc.oneof(fc.maxSafeNat(), fc.nat(300), fc.uint8Array({ maxLength: 600 }));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const writer = new ByteWriter();
      for (const each of parts)
        if (typeof each === 'number') writer.varint(each);
        else writer.varint(each.length).bytes(each);
      const bytes = writer.take();
      assert.equal(writer.length, 0);
      const reader = readerOf(bytes);
      for (const each of parts)
        if (typeof each === 'number') assert.equal(reader.varint(), each);
        else assert.deepEqual(reader.copy(reader.varint()), each);
      reader.expectEnd();
    }),
  );
});

test('a number takes one byte for each 7 bits, low bits first', () => {
  const written = (value: number) => [...new ByteWriter().varint(value).take()];
  assert.deepEqual(written(127), [127]);
  assert.deepEqual(written(300), [0xac, 2]);
  assert.deepEqual(written(2 ** 32 - 1), [255, 255, 255, 255, 15]);
  assert.deepEqual(written(2 ** 35), [128, 128, 128, 128, 128, 1]);
  assert.deepEqual(written(Number.MAX_SAFE_INTEGER), [255, 255, 255, 255, 255, 255, 255, 15]);
});

test('input that is cut short, too large a number and bytes left over are errors', () => {
  assert.throws(() => readerOf(Uint8Array.of()).byte(), /is cut short/);
  assert.throws(() => readerOf(Uint8Array.of(128)).varint(), /is cut short/);
  assert.throws(() => readerOf(Uint8Array.of(1, 2, 3), 1, 2).bytes(2), /is cut short/);
  assert.throws(() => readerOf(new Uint8Array(20).fill(255)).varint(), /number out of range/);
  assert.throws(() => readerOf(Uint8Array.of(...new Array(7).fill(255), 16)).varint(), /out of range/);
  assert.throws(() => readerOf(Uint8Array.of(1, 2)).expectEnd(), /bytes left over/);
});
