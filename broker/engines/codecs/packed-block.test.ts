import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';
import { packed, unpacked } from './packed-block.ts';

const repeated = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(60))
  .map(([part, times]) => Buffer.concat(Array.from({ length: times }, () => part)));

test('blocks of any length are restored, and long repetitive ones take less space', () => {
  fc.assert(
    fc.property(repeated, (block) => {
      const value = packed(block);
      assert.deepEqual(Buffer.from(unpacked(value)), block);
      assert.ok(value.length <= block.length + 16);
    }),
  );
  assert.ok(packed(Buffer.alloc(8192, 'term\tterms\n')).length < 200);
});

test('a damaged block is reported as damaged, whatever it contains', () => {
  const refuses = (value: Uint8Array) =>
    assert.throws(
      () => unpacked(value),
      (error) => isGarnerError(error, engineErrors.ENGINE_DAMAGED),
    );
  const whole = packed(Buffer.alloc(8192, 'term\tterms\n'));
  for (let length = 1; length < whole.length; length++) refuses(whole.subarray(0, length));
  refuses(new Uint8Array());
  refuses(Uint8Array.of(7, 1, 2, 3));
  refuses(packed(Buffer.alloc(32 * 1024 * 1024)));
});
