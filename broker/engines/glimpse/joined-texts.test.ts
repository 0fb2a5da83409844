import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JoinedTexts } from './joined-texts.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '東'), maxLength: 6 });
const texts = fc.array(text, { maxLength: 30 });
const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 1, maxLength: 3 }), {
  maxLength: 3,
});
const numbers = (all: readonly string[], holds: (one: string) => boolean) =>
  all.flatMap((one, index) => (holds(one) ? [index] : []));

test('texts are found by pieces and by beginnings as by checking each text', () => {
  fc.assert(
    fc.property(texts, pieces, text, (all, sought, prefix) => {
      const joined = new JoinedTexts(all);
      assert.deepEqual(
        all.map((_, index) => joined.at(index)),
        all,
      );
      assert.deepEqual(
        [...new Set(joined.holding(sought))].sort((a, b) => a - b),
        numbers(all, (one) => sought.some((piece) => one.includes(piece))),
      );
      assert.deepEqual(
        [...joined.beginning(prefix)],
        numbers(all, (one) => one.startsWith(prefix)),
      );
    }),
  );
});
