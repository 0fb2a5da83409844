import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { summaryObject } from '../../soif/index.ts';
import { orderedText, valueTermsOf } from './value-terms.ts';

test('numbers as text sort as numbers do, and equal ones are the same text', () => {
  const number = fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.constantFrom(0, -0, 1 / 3));
  fc.assert(
    fc.property(number, number, (a, b) => {
      const [left, right] = [orderedText(a), orderedText(b)];
      assert.equal(left < right, a < b, `${a} ${b}`);
      assert.equal(left === right, a === b, `${a} ${b}`);
    }),
  );
});

test('values are filed as numbers, as times, or as both at once', () => {
  const termsOf = (value: string) =>
    [...valueTermsOf(summaryObject('http://example.org/', [['X-Made-2', value]]))].map((term) =>
      term.split('\0').map((part, at) => (at === 0 ? part : part[0])),
    );
  assert.deepEqual(termsOf('1700000000'), [['x-made', 'b']]);
  assert.deepEqual(termsOf(' -3.5 '), [['x-made', 'n']]);
  assert.deepEqual(termsOf('2024'), [
    ['x-made', 'n'],
    ['x-made', 't'],
  ]);
  assert.deepEqual(termsOf('2024-06-30'), [['x-made', 't']]);
  assert.deepEqual(termsOf(`${' '.repeat(5000)}7`), [['x-made', 'n']]);
  assert.deepEqual(termsOf('7 words'), []);
  assert.deepEqual(termsOf('x'.repeat(10_000)), []);
});
