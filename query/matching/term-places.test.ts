import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TextLeaf } from '../syntax/tree.ts';
import { FoldedText } from '../words/folded-text.ts';
import type { TermPlaces } from '../words/term-filter.ts';
import { TokenTable } from '../words/token-table.ts';
import { matchersOf } from './matchers.ts';

const words = [
  ...[
    'install',
    'installing',
    'installs',
    'state',
    'état',
    'états',
    'C++',
    'c#',
    'c',
    'node.js',
    '3.11',
    'a',
  ],
  ...[
    '東京都',
    '京都',
    '㍿会社',
    '株式会社',
    'ﾊﾟﾝ',
    '한국어',
    'STRASSE',
    'straße',
    'ﬁne',
    'e\u0301tat',
    '\u00ad',
  ],
  // One character that becomes two: ゟ is より.
  ...['こゟか', 'りか', 'より', 'ทำไม'],
];
// 'İ' is two letters in lower case, 'K' (Kelvin) one of ASCII; U+200B and U+2019 separate.
const between = [' ', '\n', '-', '.', '', '#', '+', ', ', '\u200b', '\u2019', 'İ', '\u212a'];

const textOf = fc
  .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(...between)), { maxLength: 40 })
  .map((parts) => parts.flat().join(''));
const anyText = fc.oneof(
  { arbitrary: textOf, weight: 4 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 60 }), weight: 1 },
);
const leaf: fc.Arbitrary<TextLeaf> = fc.oneof(
  fc.constantFrom(...words).map((word): TextLeaf => ({ kind: 'word', word })),
  fc
    .array(fc.constantFrom(...words), { minLength: 2, maxLength: 3 })
    .map((phrase): TextLeaf => ({ kind: 'phrase', words: phrase })),
  fc.constantFrom(...words).map((word): TextLeaf => ({ kind: 'word', word, part: true })),
  fc.constantFrom('inst', 'ét', '東').map((prefix): TextLeaf => ({ kind: 'prefix', prefix })),
);

function found(leaves: readonly TextLeaf[], text: string, places: TermPlaces | undefined, max: number) {
  return matchersOf(leaves).map(({ matcher }) => {
    const matches: (readonly [number, number, number])[] = [];
    const visit = (own: number, start: number, end: number) => {
      matches.push([own, start, end]);
      return matches.length >= max;
    };
    matcher.search(text, visit, places);
    return { matches, is: matcher.test(text, places) };
  });
}

test('a table and a folded text find what reading the text finds, in the same order and places', () => {
  fc.assert(
    fc.property(fc.array(leaf, { minLength: 1, maxLength: 3 }), anyText, fc.nat(5), (leaves, text, max) => {
      const plain = found(leaves, text, undefined, max + 1);
      for (const places of [new TokenTable(text, 'en'), new FoldedText(text)])
        assert.deepEqual(found(leaves, text, places, max + 1), plain);
    }),
    { numRuns: 3000 },
  );
});

test('a text of many tokens has them all', () => {
  const text = Array.from({ length: 3000 }, (_, at) => `word${at} common`).join(' ');
  const leaves: TextLeaf[] = [
    { kind: 'word', word: 'common' },
    { kind: 'word', word: 'word2999' },
  ];
  for (const places of [new TokenTable(text, 'en'), new FoldedText(text)])
    assert.equal(found(leaves, text, places, 10_000)[0]?.matches.length, 3001);
});
