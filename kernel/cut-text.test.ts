import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { cutAtWord, graphemeStart } from './cut-text.ts';

const family = '👨\u200d👩\u200d👧\u200d👧';
const pieces = fc.constantFrom(
  'a',
  'word ',
  ' ',
  family,
  'e\u0301',
  '🇩🇪',
  'क्षि',
  '한국',
  '\n',
  'x'.repeat(9),
);
const texts = fc.array(pieces, { maxLength: 40 }).map((all) => all.join(''));
const segments = (text: string) =>
  Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ index }) => index);

test('a text is cut between characters as readers see them, and between words where there are any', () => {
  assert.equal(cutAtWord('many words in a title', 14), 'many words in…');
  assert.equal(cutAtWord('short', 5), 'short');
  assert.equal(cutAtWord(`ab${family}${family}`, 12), 'ab…');
  assert.equal(cutAtWord('x'.repeat(30), 10), `${'x'.repeat(9)}…`);
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 80 }), (text, length) => {
      const at = graphemeStart(text, length);
      assert.ok(at <= length && (at === text.length || segments(text).includes(at)));
      const cut = cutAtWord(text, length);
      assert.ok(cut.length <= length);
      if (cut === text) return;
      const kept = cut.slice(0, -1);
      assert.ok(cut.endsWith('…') && text.startsWith(kept));
      assert.ok(kept === text || segments(text).includes(kept.length), JSON.stringify([text, cut]));
    }),
  );
});

test('the browser cuts texts as the server does', () => {
  const source = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  assert.equal(source('web/client/cut-text.ts'), source('kernel/cut-text.ts'));
});
