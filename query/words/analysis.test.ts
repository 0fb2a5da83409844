import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import {
  analyse,
  cutText,
  maxWordLength,
  normalisePrefix,
  scanWords,
  termsOf,
  wordOf,
  wordsOf,
} from './analysis.ts';

const words = (text: string) => analyse(text).map((token) => token.word);

test('words are runs of letters, digits and marks', () => {
  assert.deepEqual(words('Hello, world! node.js 3.11 123456 snake_case __init__ a--b'), [
    ...['hello', 'world', 'node', 'js', '3', '11', '123456', 'snake', 'case', 'init', 'a', 'b'],
  ]);
});

test('one letter keeps its ++ or #', () => {
  assert.deepEqual(words('C++ and C#, c++11 x+++ i++;'), ['c++', 'and', 'c#', 'c', '11', 'x', 'i++']);
  assert.deepEqual(words('foo# a#b'), ['foo', 'a', 'b']);
});

test('case, accents, ligatures and widths do not matter', () => {
  assert.deepEqual(words('Café CAFE\u0301 ﬁle ＡＢＣ İstanbul ΟΔΟΣ οδος exam\u00adple'), [
    ...['cafe', 'cafe', 'file', 'abc', 'istanbul', 'οδοσ', 'οδοσ', 'example'],
  ]);
});

test('scripts without spaces become overlapping pairs, a single character is a token', () => {
  assert.deepEqual(words('東京都 京 Python入門'), ['東京', '京都', '京', 'python', '入門']);
  assert.deepEqual(words('한국어'), ['한국', '국어']);
  assert.deepEqual(words('ｶﾞｽ'), ['ガス']);
  assert.deepEqual(words('がす'), words('か\u3099す'));
});

test('inflections share a term, other scripts and digits are left alone', () => {
  assert.deepEqual(termsOf('connection connected connecting x86 naïve'), [
    'connect',
    'connect',
    'connect',
    'x86',
    'naiv',
  ]);
  assert.deepEqual(termsOf('книги 123ing'), ['книги', '123ing']);
});

test('long words are cut the same way everywhere', () => {
  const long = 'x'.repeat(500);
  assert.deepEqual(words(long), ['x'.repeat(maxWordLength)]);
  assert.deepEqual(words(`${'ж'.repeat(100)}`), ['ж'.repeat(maxWordLength)]);
  const astral = '\u{10400}'.repeat(100);
  assert.ok(words(astral).every((word) => !/[\ud800-\udbff]$/.test(word)));
});

test('cutting never halves a surrogate pair', () => {
  assert.equal(cutText('ab\u{1f600}', 3), 'ab');
  assert.equal(cutText('ab\u{1f600}', 4), 'ab\u{1f600}');
});

test('offsets point into the text as given, in order, and give the word back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      let last = 0;
      const tokens = analyse(text);
      tokens.forEach((token, index) => {
        assert.equal(token.position, index);
        assert.ok(token.start >= last && token.end > token.start && token.end <= text.length);
        last = token.start;
        const again = words(text.slice(token.start, token.end));
        // `c+` `+` cut out of `c+++` may keep its sign; everything else is the same word.
        if (!/[+#]/.test(text)) assert.ok(again.includes(token.word), `${again} lacks ${token.word}`);
      });
    }),
    { numRuns: 500 },
  );
});

test('normalising twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      for (const word of words(text))
        if (/^\p{Script=Latin}+$/u.test(word)) assert.deepEqual(words(word), [word]);
    }),
    { numRuns: 500 },
  );
});

test('the first-letter filter changes which words are visited, never their positions', () => {
  const firsts = new Uint8Array(128);
  firsts['b'.charCodeAt(0)] = 1;
  const text = 'Alpha beta 東京 gamma Beta c++ été';
  const seen: [string, number][] = [];
  const count = scanWords(text, (word, position) => seen.push([word, position]) < 0, firsts);
  assert.equal(count, analyse(text).length);
  const wanted = analyse(text).filter((token) => /^[b東é]/u.test(text.slice(token.start).toLowerCase()));
  assert.deepEqual(
    seen,
    wanted.map((token) => [token.word, token.position]),
  );
});

test('typed text becomes a prefix of indexed words', () => {
  assert.equal(normalisePrefix('  Éco'), 'eco');
  assert.equal(normalisePrefix('two Words'), 'words');
  assert.equal(normalisePrefix('!!'), '');
});

test('megabytes of anything take time in proportion', async () => {
  const units = ['a', 'é', '漢', '\u0301', 'a\u0301 ', '+', 'c+', 'ｶﾞ', '\ud800', 'aaaaaaaaee ', '👩\u200d'];
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(500_000 / unit.length));
    await assertCpuMs(5_000, () => scanWords(text, () => false), JSON.stringify(unit));
  }
});

test('words as written become the same words, at the same places', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary-ascii' })), (text) => {
      const plain: unknown[] = [];
      scanWords(text, (...token) => plain.push(token.slice(0, 4)) === 0);
      const written: unknown[] = [];
      const note = (word: string, position: number, start: number, end: number, isWritten: boolean) => {
        if (isWritten) assert.equal(word, text.slice(start, end));
        return written.push([isWritten ? wordOf(word) : word, position, start, end]) === 0;
      };
      scanWords(text, note, undefined, true);
      assert.deepEqual(written, plain);
    }),
  );
});

test('an emoji with its signs is one word without them', () => {
  assert.deepEqual(wordsOf('go🎉now 👍🏽 👍 ❤️ 👩‍👩‍👧 🇩🇪🇫🇷 ☎x ©'), [
    ...['go', '🎉', 'now', '👍', '👍', '❤', '👩👩👧', '🇩🇪', '🇫🇷', '☎', 'x'],
  ]);
});

test('letters that no normalisation decomposes are compared as others', () => {
  assert.deepEqual(wordsOf('Łódź ĐORĐE Æsir œuvre Straße ẞ Þór ıĿŊ Əliyev'), [
    ...['lodz', 'dorde', 'aesir', 'oeuvre', 'strasse', 'ss', 'thor', 'iln', 'eliyev'],
  ]);
});
