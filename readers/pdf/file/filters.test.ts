import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { decodeAscii85, decodeAsciiHex, decodeRunLength } from './ascii-filters.ts';
import { decodeLzw, undoFilters } from './filters.ts';
import { undoPredictor } from './predictor.ts';

const latin1 = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('latin1');
const bytesOf = (text: string) => Buffer.from(text, 'latin1');

test('ASCII filters give the bytes of the standard’s examples', () => {
  assert.equal(latin1(decodeAscii85(bytesOf('87cURD]i,"Ebo80~>'))), 'Hello World!');
  assert.deepEqual([...decodeAscii85(bytesOf('zz~>'))], [0, 0, 0, 0, 0, 0, 0, 0]);
  assert.equal(latin1(decodeAsciiHex(bytesOf('48 65 6C6c 6F2>'))), 'Hello ');
  assert.equal(latin1(decodeRunLength(Uint8Array.of(2, 97, 98, 99, 254, 100, 128, 101), 100)), 'abcddd');
});

test('LZW gives the example of the standard (7.4.4.2)', () => {
  const coded = Uint8Array.of(0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01);
  assert.deepEqual([...decodeLzw(coded, 1000)], [45, 45, 45, 45, 45, 65, 45, 45, 45, 66]);
});

test('predictors of PNG and TIFF are undone', () => {
  const up = Uint8Array.of(2, 1, 2, 3, 2, 1, 1, 1);
  assert.deepEqual(
    [...undoPredictor(up, { predictor: 12, colors: 1, bits: 8, columns: 3 })],
    [1, 2, 3, 2, 3, 4],
  );
  const sub = Uint8Array.of(1, 5, 1, 1);
  assert.deepEqual([...undoPredictor(sub, { predictor: 11, colors: 1, bits: 8, columns: 3 })], [5, 6, 7]);
  const tiff = Uint8Array.of(5, 1, 1);
  assert.deepEqual([...undoPredictor(tiff, { predictor: 2, colors: 1, bits: 8, columns: 3 })], [5, 6, 7]);
});

test('deflated data cut short give their beginning, and no more than allowed', () => {
  const whole = deflateSync(Buffer.alloc(100_000, 'abcdefgh'));
  const stored = { filters: ['FlateDecode'], parameters: [undefined] };
  const part = latin1(undoFilters(whole.subarray(0, whole.length - 20), stored, 1_000_000));
  assert.ok(part.length > 0 && part.startsWith('abcdefgh'));
  assert.throws(() => undoFilters(whole, stored, 1000), { code: 'ERR_BUFFER_TOO_LARGE' });
  assert.equal(undoFilters(whole, { filters: ['DCTDecode'], parameters: [] }, 1000), undefined);
});

test('no bytes make a filter throw or pass its bound', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), fc.nat(300), (bytes, max) => {
      assert.ok(decodeLzw(bytes, max).length <= max);
      assert.ok(decodeRunLength(bytes, max).length <= max);
      assert.ok(decodeAscii85(bytes).length <= 4 * bytes.length + 8);
      decodeAsciiHex(bytes);
      undoPredictor(bytes, { predictor: 15, colors: 3, bits: 8, columns: Math.max(1, max) });
    }),
  );
});
