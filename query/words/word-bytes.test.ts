import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maxWordLength, wordsOf } from './analysis.ts';
import { readWords, type WordSink } from './word-bytes.ts';
import { hashed, hashStart } from './word-hash.ts';

class Words implements WordSink {
  readonly word = Buffer.alloc(1 + maxWordLength);
  readonly wordAt = 1;
  readonly hash = hashStart;
  readonly #max: number;
  words: string[] = [];
  /** Number of words for which no string was made. */
  plain = 0;

  constructor(max = Number.POSITIVE_INFINITY) {
    this.#max = max;
  }

  get full(): boolean {
    return this.words.length >= this.#max;
  }

  take(end: number, hash: number): void {
    const bytes = this.word.subarray(1, end);
    assert.equal(hash, bytes.reduce(hashed, hashStart));
    this.words.push(bytes.toString());
    this.plain++;
  }

  takeWord(word: string): void {
    this.words.push(word);
  }
}

/** The words of a text as they are read, `max` or a few more at once. */
function wordsRead(text: Buffer, max?: number): string[] {
  const words: string[] = [];
  for (let at = 0; at < text.length; ) {
    const sink = new Words(max);
    const end = readWords(text, at, text.length, sink);
    assert.ok(end > at && end <= text.length);
    at = end;
    words.push(...sink.words);
  }
  return words;
}

const long = fc
  .integer({ min: maxWordLength - 2, max: maxWordLength + 3 })
  .map((length) => 'Ab'.repeat(length / 2));
const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.stringMatching(/^[ -~\n\t]{0,8}$/),
  fc.constantFrom(
    ' ',
    '\n',
    '.',
    '+',
    '#',
    '++',
    'c++',
    'C#',
    'i++;',
    'x+',
    'f#',
    '’',
    '‐',
    '“',
    '\u00a0',
    '\u3000',
  ),
  fc.constantFrom(
    'é',
    'e\u0301',
    '\u0301',
    '\u00ad',
    '\u200c',
    '\u200d',
    '\u2060',
    '\ufeff',
    'ß',
    'İ',
    'ﬁ',
    'ς',
  ),
  fc.constantFrom(
    '東京',
    'ガ',
    'ｶﾞ',
    'か\u3099',
    '\u3099',
    '한국어',
    'ไทย',
    '۱۲',
    '½',
    '😀',
    '\u{10400}',
    '\u{20000}',
  ),
  long,
);
const bytes = fc.oneof(
  { weight: 4, arbitrary: piece.map((text) => Buffer.from(text)) },
  // Bytes other than UTF-8: cut and overlong characters, halves of pairs, bytes that never occur.
  fc
    .constantFrom('c3', 'e280', 'e2', 'f09f98', 'c0af', 'e08080', 'eda080', 'f8', 'ff', '80', 'bf')
    .map((hex) => Buffer.from(hex, 'hex')),
  fc.uint8Array({ maxLength: 4 }).map((some) => Buffer.from(some)),
);
const text = fc.array(bytes, { maxLength: 30 }).map((all) => Buffer.concat(all));

test('bytes have the words of their text, in the same order', () => {
  fc.assert(
    fc.property(text, (any) => {
      assert.deepEqual(wordsRead(any), wordsOf(new TextDecoder().decode(any)));
    }),
    { numRuns: 5_000 },
  );
});

test('a text that is read a few words at a time has the same words', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 5 }), (any, max) => {
      assert.deepEqual(wordsRead(any, max), wordsOf(new TextDecoder().decode(any)));
    }),
  );
});

test('no string is made of English text, with any signs between its words', () => {
  const sink = new Words();
  const english = Buffer.from('“Don’t”, he said – 3.11 is x86_64’s… ½ • NODE.js\u00a0(a→b)');
  readWords(english, 0, english.length, sink);
  assert.deepEqual(sink.words, wordsOf(english.toString()));
  assert.equal(sink.plain, sink.words.length - 1);
});
