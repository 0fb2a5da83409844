import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { matchersOf } from './matchers.ts';
import { TokenTable } from './token-table.ts';
import type { TextLeaf } from './tree.ts';

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
  // One character that stands for two: ゟ for より.
  ...['こゟか', 'りか', 'より', 'ทำไม'],
];
const between = [' ', '\n', '-', '.', '', '#', '+', ', '];

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

function found(leaves: readonly TextLeaf[], text: string, table: TokenTable | undefined, most: number) {
  return matchersOf(leaves).map(({ matcher }) => {
    const matches: (readonly [number, number, number])[] = [];
    const visit = (own: number, start: number, end: number) => {
      matches.push([own, start, end]);
      return matches.length >= most;
    };
    matcher.search(text, visit, table);
    return { matches, is: matcher.test(text, table) };
  });
}

test('a table finds what reading the text finds, in the same order and places', () => {
  fc.assert(
    fc.property(fc.array(leaf, { minLength: 1, maxLength: 3 }), anyText, fc.nat(5), (leaves, text, most) => {
      const table = new TokenTable(text, 'en');
      assert.deepEqual(found(leaves, text, table, most + 1), found(leaves, text, undefined, most + 1));
    }),
    { numRuns: 1000 },
  );
});

test('a text of many tokens has them all', () => {
  const text = Array.from({ length: 3000 }, (_, at) => `word${at} common`).join(' ');
  const leaves: TextLeaf[] = [
    { kind: 'word', word: 'common' },
    { kind: 'word', word: 'word2999' },
  ];
  const [one] = found(leaves, text, new TokenTable(text, 'en'), 10_000);
  assert.equal(one?.matches.length, 3001);
});
