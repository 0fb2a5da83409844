import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelsOf } from './labels.ts';
import { agreement, overall, words } from './measure.ts';

test('words are runs of letters, digits and underscores', () => {
  assert.deepEqual(words("It's naïve_2, 日本 — ok"), ['It', 's', 'naïve_2', '日本', 'ok']);
});

test('agreement counts runs of four words', () => {
  // Truth: abcd bcde; found: abcd bcdx: one is common, one extra, one missing.
  assert.deepEqual(agreement('a b c d e', 'a b c d x'), { precision: 0.5, recall: 0.5 });
  assert.deepEqual(agreement('a b', 'a b'), { precision: 1, recall: 1 });
  assert.deepEqual(agreement('', ''), { precision: 1, recall: 1 });
  assert.deepEqual(agreement('a b c d', ''), { precision: 0, recall: 0 });
  // The shingle aaaa twice in the truth, once in what was found.
  assert.deepEqual(agreement('a a a a a', 'a a a a'), { precision: 1, recall: 0.5 });
});

test('overall F1 is that of the averages', () => {
  const { precision, recall, f1 } = overall([
    { precision: 1, recall: 0.5 },
    { precision: 0.5, recall: 0.5 },
  ]);
  assert.deepEqual([precision, recall, f1], [0.75, 0.5, 0.6]);
});

test('labels find the blocks that the truth was taken from, and the first of doubles', () => {
  const blocks = [
    'Home News',
    'The cat sat on the mat.',
    'Share',
    'It slept.',
    'The cat sat on the mat.',
    '—',
  ];
  assert.deepEqual(labelsOf(blocks, 'The cat sat on the mat. It slept.'), [0, 1, 0, 1, 0, -1]);
});
