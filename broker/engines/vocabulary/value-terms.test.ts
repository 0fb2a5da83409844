import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { summaryObject } from '../../../soif/index.ts';
import { kindsOf, orderedText, rangesOver, termsIn, valueTerm, valueTermsOf } from './value-terms.ts';

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
    [...valueTermsOf(summaryObject('http://example.org/', [['X-Made-2', value]]))]
      .map((term) => term.split('\0').map((part, at) => (at === 0 ? part : part[0])))
      // Buckets begin with their depth.
      .filter(([, kind]) => !/\d/.test(kind as string));
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

test('the ranges of terms over a span contain its values and no others, and are few', () => {
  const seconds = fc.integer({ min: 1_500_000_000, max: 1_900_000_000 });
  const size = fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.double({ noNaN: true }), seconds);
  const end = fc.oneof(size, fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY));
  let buckets = 0;
  fc.assert(
    fc.property(
      fc.array(size, { maxLength: 40 }),
      ...([end, end, fc.boolean(), fc.boolean()] as const),
      (values, a, b, lowOpen, highOpen) => {
        const span = { low: Math.min(a, b), high: Math.max(a, b), lowOpen, highOpen };
        const among = [...values, ...(Number.isFinite(a) ? [a] : []), ...(Number.isFinite(b) ? [b] : [])];
        const kind = kindsOf.number[0];
        const ranges = rangesOver('x', kind, span);
        assert.ok(ranges.length <= 7, `${ranges.length}`);
        const [first, last] = [valueTerm('x', kind, span.low), valueTerm('x', kind, span.high)];
        for (const value of among) {
          const terms = [...termsIn('x', kind, value)];
          const found = ranges.some(([from, to]) =>
            terms.some(
              (term) =>
                from <= term && term <= to && !(lowOpen && term === first) && !(highOpen && term === last),
            ),
          );
          const isIn =
            (lowOpen ? value > span.low : value >= span.low) &&
            (highOpen ? value < span.high : value <= span.high);
          assert.equal(found, isIn, `${value} in ${JSON.stringify(span)}`);
        }
        if (ranges.length > 2) buckets++;
      },
    ),
    { numRuns: 2000 },
  );
  assert.ok(buckets > 500, `${buckets}`);
});
