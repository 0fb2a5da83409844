import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';
import { byUtf8 } from '../vocabulary/word-blocks.ts';
import { encodeEntries, VocabularyBlock, type VocabularyEntry } from './vocabulary-block.ts';

const span = { from: 8, to: 40, blockBits: 0 };
const word = fc.oneof(
  fc.constantFrom('run', 'runs', 'running', 'ran', 'été', 'étés', '東京', 'x', 'runner', 'naïve'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('a', 'b', 'e'), minLength: 1, maxLength: 40 }),
);
const entry = fc.record({
  term: fc.tuple(fc.constantFrom('', '', 'de/', 'fr/'), word).map((parts) => parts.join('')),
  words: fc.uniqueArray(fc.record({ word, plain: fc.boolean() }), {
    selector: (one) => one.word,
    minLength: 1,
    maxLength: 5,
  }),
  list: fc
    .uniqueArray(fc.integer({ min: span.from, max: span.to }), { minLength: 1 })
    .map((blocks) => ({ blockBits: 0, blocks: blocks.sort((a, b) => a - b) })),
});
const vocabulary = fc
  .uniqueArray(entry, { selector: ({ term }) => term, minLength: 1, maxLength: 80 })
  .map((entries) => entries.sort((a, b) => byUtf8([a.term, 0], [b.term, 0])));

// Generated records have no prototype.
const sorted = ({ words, term, list }: VocabularyEntry) => ({
  term,
  list,
  words: Array.from(words, (one) => ({ ...one })).sort((a, b) => (a.word < b.word ? -1 : 1)),
});

test('entries are read as they were written, all or one, whether they are packed or few', () => {
  fc.assert(
    fc.property(vocabulary, (entries) => {
      const block = new VocabularyBlock(encodeEntries(entries, span), span);
      assert.deepEqual([...block.entries()].map(sorted), entries.map(sorted));
      const some = entries[entries.length >> 1] as VocabularyEntry;
      const found = block.find(some.term);
      assert.deepEqual(found && sorted(found), sorted(some));
      assert.equal(block.find('no such term'), undefined);
    }),
  );
});

test('a damaged value is reported as damaged, and ends', () => {
  fc.assert(
    fc.property(vocabulary, fc.nat(), fc.integer({ min: 1, max: 255 }), (entries, where, by) => {
      const value = encodeEntries(entries, span);
      const at = where % value.length;
      value[at] = (value[at] as number) ^ by;
      try {
        for (const { list } of new VocabularyBlock(value, span).entries())
          assert.ok(list.blocks.every((block) => block >= span.from && block <= span.to));
      } catch (error) {
        assert.ok(isGarnerError(error, engineErrors.ENGINE_DAMAGED), String(error));
      }
    }),
  );
});
