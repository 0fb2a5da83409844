import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BlockRole } from '../../readers/document/index.ts';
import { maxSentenceLength, sentencesOf } from './sentences.ts';

const cut = (text: string, role: BlockRole = 'paragraph') =>
  [...sentencesOf({ role, text })].map(([start, end]) => text.slice(start, end));

test('sentences end at a stop before a blank and no small letter', () => {
  assert.deepEqual(cut('One is here. Two (see 3.1) is there! "Is it?" Yes.'), [
    ...['One is here.', 'Two (see 3.1) is there!', '"Is it?"', 'Yes.'],
  ]);
  assert.deepEqual(cut('Some, e.g. this one, go on.'), ['Some, e.g. this one, go on.']);
  assert.deepEqual(cut('索引を作る。検索する！終わり'), ['索引を作る。', '検索する！', '終わり']);
});

test('programs and rows are cut at lines, headings not at all', () => {
  assert.deepEqual(cut('a. B\n\nc', 'pre'), ['a. B', 'c']);
  assert.deepEqual(cut('name\tsize. Big', 'row'), ['name\tsize. Big']);
  assert.deepEqual(cut('1. What is it? An answer', 'heading'), ['1. What is it? An answer']);
});

test('sentences are in order, hold all but blanks, and none is longer than may be', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 1500 }),
    fc.stringMatching(/^[ab. \n?。😀]{0,1500}$/u),
  );
  fc.assert(
    fc.property(texts, fc.constantFrom<BlockRole>('paragraph', 'pre', 'heading'), (text, role) => {
      let last = 0;
      for (const [start, end] of sentencesOf({ role, text })) {
        assert.equal(text.slice(last, start).replace(/[ \n]/g, ''), '');
        assert.ok(end > start && end - start <= maxSentenceLength + 2);
        last = end;
      }
      assert.equal(text.slice(last).replace(/[ \n]/g, ''), '');
    }),
    { numRuns: 500 },
  );
});
