import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LineReader, tooLong } from './line-reader.ts';

async function* cut(bytes: Buffer, steps: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const step = steps[turn % steps.length] ?? 1;
    yield bytes.subarray(at, at + step);
    at += step;
  }
}

test('lines and blocks are read unchanged, for any chunks', async () => {
  const steps = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ maxLength: 12 })), steps, async (words, sizes) => {
      const lines = words.map((word) => word.replaceAll('\n', ' '));
      const reader = new LineReader(cut(Buffer.from(lines.map((line) => `${line}\n`).join('')), sizes));
      for (const line of lines) {
        const bytes = Buffer.from(line);
        const found = await reader.line(6);
        if (bytes.length > 6) assert.equal(found, tooLong);
        else assert.deepEqual(found, bytes);
      }
      assert.equal(await reader.line(6), undefined);
    }),
  );
  const reader = new LineReader(cut(Buffer.from('ab\0cdefgh\nlast'), [2]));
  assert.equal(String(await reader.line(10, 0)), 'ab');
  assert.equal(String(await reader.block(3)), 'cde');
  assert.equal(String(await reader.line(10)), 'fgh');
  assert.equal(String(await reader.block(100)), 'last');
  assert.equal(await reader.line(10), undefined);
});
