import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { distanceWithin } from './edit-distance.ts';

/** The whole table, as in the textbook; `inside`: the least over all parts of `b`. */
export function editDistance(a: string, b: string, inside: boolean): number {
  const [left, right] = [[...a], [...b]];
  const table = Array.from({ length: left.length + 1 }, (_, row) =>
    Array.from({ length: right.length + 1 }, (_, column) => (row === 0 ? (inside ? 0 : column) : row)),
  );
  const at = (row: number, column: number) => table[row]?.[column] as number;
  for (let row = 1; row <= left.length; row++)
    for (let column = 1; column <= right.length; column++)
      (table[row] as number[])[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1),
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

test('well-known distances', () => {
  assert.ok(distanceWithin('kitten', 'sitting', 3) && !distanceWithin('kitten', 'sitting', 2));
  assert.ok(distanceWithin('survey', 'surgery', 2) && !distanceWithin('survey', 'surgery', 1));
  assert.ok(
    distanceWithin('annealing', 'xxanealingxx', 1, true) && !distanceWithin('annealing', 'xxanxx', 1, true),
  );
});
