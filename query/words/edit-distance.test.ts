import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { distanceWithin, editsBetween } from './edit-distance.ts';

/**
 * The whole table, as in the textbook; `inside`: the minimum over all parts of `b`; `swaps`: of neighbours,
 * once.
 */
export function editDistance(a: string, b: string, inside: boolean, swaps = false): number {
  const [left, right] = [[...a], [...b]];
  const table = Array.from({ length: left.length + 1 }, (_, row) =>
    Array.from({ length: right.length + 1 }, (_, column) => (row === 0 ? (inside ? 0 : column) : row)),
  );
  const at = (row: number, column: number) => table[row]?.[column] as number;
  const isSwapped = (row: number, column: number) =>
    swaps &&
    Math.min(row, column) > 1 &&
    left[row - 1] === right[column - 2] &&
    left[row - 2] === right[column - 1];
  for (let row = 1; row <= left.length; row++)
    for (let column = 1; column <= right.length; column++)
      (table[row] as number[])[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1),
        ...(isSwapped(row, column) ? [at(row - 2, column - 2) + 1] : []),
      );
  return inside ? Math.min(...(table[left.length] as number[])) : at(left.length, right.length);
}

test('the band says what the whole table says', () => {
  const word = fc.array(fc.constantFrom('a', 'b', 'c', '😀'), { maxLength: 12 }).map((all) => all.join(''));
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 9 }), fc.boolean(), (a, b, errors, inside) => {
      assert.equal(distanceWithin(a, b, errors, inside), editDistance(a, b, inside) <= errors);
    }),
    { numRuns: 5000 },
  );
});

test('the band with swaps says what the whole table with swaps says, either way round', () => {
  const word = fc.array(fc.constantFrom('a', 'b', 'c', '😀'), { maxLength: 9 }).map((all) => all.join(''));
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 9 }), (a, b, max) => {
      const all = editDistance(a, b, false, true);
      assert.equal(editsBetween(a, b, max), all <= max ? all : undefined);
      assert.equal(editsBetween(b, a, max), all <= max ? all : undefined);
    }),
    { numRuns: 5000 },
  );
  assert.equal(editsBetween('ab', 'ba', 1), 1);
  assert.equal(editsBetween('', 'abc', 3), 3);
});

test('well-known distances', () => {
  assert.ok(distanceWithin('kitten', 'sitting', 3) && !distanceWithin('kitten', 'sitting', 2));
  assert.ok(distanceWithin('survey', 'surgery', 2) && !distanceWithin('survey', 'surgery', 1));
  assert.ok(
    distanceWithin('annealing', 'xxanealingxx', 1, true) && !distanceWithin('annealing', 'xxanxx', 1, true),
  );
});
