import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../../../kernel/index.ts';
import { scanWords, termOf, writtenForm } from '../../../query/index.ts';
import { engineErrors } from '../errors.ts';
import { decodeValues, encodeValues, valueAt } from './object-values.ts';
import { decodePlaced, decodePlaces, encodePlaced, encodePlaces, type PlacedTerm } from './place-block.ts';

const ascending = (min: number) =>
  fc
    .uniqueArray(fc.integer({ min: min, max: min + 5000 }), { minLength: 1, maxLength: 8 })
    .map((numbers) => numbers.sort((a, b) => a - b));
const objects = ascending(8192).chain((docnos) =>
  fc.tuple(...docnos.map((docno) => ascending(0).map((positions) => ({ docno, positions })))),
);

test('places are read as they were written', () => {
  fc.assert(
    fc.property(objects, (written) => {
      assert.deepEqual([...decodePlaces(encodePlaces(written, 8192), 8192)], written);
    }),
  );
});

const texts = [
  'Apache',
  'APACHE',
  'apaches',
  'naïve',
  'Naive',
  'ÉTÉ',
  'mcDonald',
  '東京都',
  'c++',
  'ǅ',
  'ﬁne',
  'Straße',
];

/** The terms of a text in German and in English with the forms that they have there. */
function termsOf(text: string): PlacedTerm[] {
  const terms = new Map<string, PlacedTerm['forms'][number][]>();
  scanWords(text, (word, _position, start, end) => {
    const form = {
      word,
      written: writtenForm(text.slice(start, end)),
      places: Uint8Array.of(2, word.length),
    };
    for (const language of ['de', 'en'] as const) {
      const term = termOf(word, language);
      terms.set(term, [...(terms.get(term) ?? []), form]);
    }
    return false;
  });
  return Array.from(terms, ([term, forms]) => ({ term, forms }));
}

test('terms keep the written form of each of their words', () => {
  const text = fc.array(fc.oneof(fc.constantFrom(...texts), fc.string({ unit: 'grapheme' })), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(text, fc.boolean(), (words, isLong) => {
      const written = termsOf(words.join(' ')).map(({ term, forms }) => ({
        term,
        forms: isLong ? forms.map((form) => ({ ...form, written: undefined })) : forms,
      }));
      assert.deepEqual([...decodePlaced(encodePlaced(written))], written);
    }),
  );
});

test('damaged places are reported as damaged, and end', () => {
  const whole = encodePlaced(termsOf(texts.join(' ')));
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const bytes = Uint8Array.from(whole);
      bytes[at] = (bytes[at] as number) ^ by;
      try {
        for (const { forms } of decodePlaced(bytes))
          for (const form of forms) [...decodePlaces(form.places, 0)];
      } catch (error) {
        assert.ok(isGarnerError(error, engineErrors.ENGINE_DAMAGED), String(error));
      }
    }),
  );
});

test('a position belongs to the value that begins at it or last before it', () => {
  const values = {
    language: 'de',
    values: [0, 3, 4, 90].map((from) => ({ name: `A-${from}`, from })),
  } as const;
  assert.deepEqual(decodeValues(encodeValues(values)), values);
  assert.deepEqual(
    [0, 2, 3, 4, 89, 90, 1000].map((position) => valueAt(values, position)),
    [0, 0, 1, 2, 2, 3, 3],
  );
});
