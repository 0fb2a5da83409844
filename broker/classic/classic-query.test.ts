import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileQuery, parseQuery } from '../../query/index.ts';
import { type SummaryObject, summaryObject } from '../../soif/index.ts';
import { classicQuery, readClassicQuery } from './classic-query.ts';

const plain = { isCaseSensitive: false, wholeWords: true, errors: 0 } as const;
const read = (text: string) => classicQuery(text, plain);

test('the grammar of the original in our own language', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['', '*'],
    ['#ALLB', '*'],
    ['#allb ', '*'],
    ['harbour', '"harbour"'],
    ['"Arizona desert" AND (Title : windsurfing)', '"Arizona desert" AND (Title: "windsurfing")'],
    ['a and b or c', '"a" AND "b" OR "c"'],
    ['a and (b or c)', '"a" AND ("b" OR "c")'],
    ['a except b', '"a" AND NOT "b"'],
    ['not a', '(NOT "a")'],
    ['title exact "red sails"', '(title: "red sails")'],
    ['url regexp ^http://x/.*', '(url: /^http:\\/\\/x\\/.*/)'],
    ['File-Size less-than 1000', '(File-Size: <1000)'],
    ['Update-Time greater-than 800000000', '(Update-Time: >800000000)'],
    // As harvest_shim.pl writes them.
    [' "md5=0123abc" and "hello\\ there"', '(md5: "0123abc") AND "hello there"'],
    // A sign without a partner is ignored. A word that looks like an operator and joins nothing is a word.
    ['(a', '"a"'],
    ['a)) b', '"a" AND "b"'],
    ['and', '"and"'],
    ['a "b', '"a" AND "b"'],
    ['a* b~', '"a" AND "b"'],
  ];
  for (const [classic, ours] of cases) assert.equal(read(classic), ours, classic);
});

type Tree =
  | { readonly word: string }
  | { readonly attribute: string; readonly word: string }
  | { readonly not: Tree }
  | { readonly join: 'and' | 'or' | 'except'; readonly left: Tree; readonly right: Tree };

const word = fc.constantFrom('red', 'green', 'blue');
const { tree } = fc.letrec<{ tree: Tree; leaf: Tree }>((tie) => ({
  leaf: fc.oneof(
    fc.record({ word }),
    fc.record({ attribute: fc.constantFrom('Title', 'Author'), word }),
  ) as fc.Arbitrary<Tree>,
  tree: fc.oneof(
    { depthSize: 'small' },
    tie('leaf'),
    fc.record({ not: tie('tree') }),
    fc.record({
      join: fc.constantFrom('and' as const, 'or' as const, 'except' as const),
      left: tie('tree'),
      right: tie('tree'),
    }),
  ) as fc.Arbitrary<Tree>,
}));

function print(node: Tree): string {
  if ('attribute' in node) return `${node.attribute} exact ${node.word}`;
  if ('word' in node) return node.word;
  if ('not' in node) return `not (${print(node.not)})`;
  return `(${print(node.left)}) ${node.join} (${print(node.right)})`;
}

function holds(node: Tree, object: Readonly<Record<string, readonly string[]>>): boolean {
  if ('attribute' in node) return object[node.attribute]?.includes(node.word) ?? false;
  if ('word' in node) return Object.values(object).some((words) => words.includes(node.word));
  if ('not' in node) return !holds(node.not, object);
  const [left, right] = [holds(node.left, object), holds(node.right, object)];
  return node.join === 'and' ? left && right : node.join === 'or' ? left || right : left && !right;
}

test('flags select how words are compared', () => {
  const flags = { isCaseSensitive: true, wholeWords: false, errors: 2 } as const;
  const text = classicQuery('Harbor or sail', flags);
  assert.equal(text, '#case #part #errors 2 "Harbor" OR "sail"');
  const holds = compileQuery(parseQuery(text).query);
  const titled = (title: string) => holds(summaryObject('http://x.org/', [['Title', title]]));
  assert.deepEqual(['Harbour', 'xHarborx', 'reefs', 'sailing'].map(titled), [true, true, false, true]);
});

test('comparisons and regular expressions are those of our language', () => {
  const object = summaryObject('http://x.org/a', [
    ['File-Size', 500],
    ['Title', 'Red sails'],
  ]);
  const cases = [
    ['File-Size less-than 1000', true],
    ['File-Size greater-than 1000', false],
    ['title regexp ^Red.s', true],
    ['title regexp ^sails', false],
    ['url regexp x.org/a$', true],
    ['title exact "red sails" and File-Size greater-than 499', true],
  ] as const;
  for (const [query, holds] of cases)
    assert.equal(compileQuery(parseQuery(read(query)).query)(object), holds, `${query} is ${read(query)}`);
});

test('any expression holds for the objects for which it should', () => {
  const words = fc.uniqueArray(word, { minLength: 1 });
  fc.assert(
    fc.property(tree, words, words, (node, title, author) => {
      const text = print(node);
      const object: SummaryObject = summaryObject('http://x.org/', [
        ['Title', title.join(' ')],
        ['Author', author.join(' ')],
      ]);
      const parsed = parseQuery(read(text));
      fc.pre(parsed.notes.length === 0);
      assert.equal(
        compileQuery(parsed.query)(object),
        holds(node, { Title: title, Author: author }),
        `${text} is read as ${parsed.understood}`,
      );
    }),
  );
});

test('any text is read as some query, in bounded time', () => {
  const piece = fc.constantFrom(
    '(',
    ')',
    '"',
    ':',
    ' and ',
    ' not ',
    ' exact ',
    ' regexp ',
    '\\',
    'a',
    '=',
    '/',
  );
  const text = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.array(piece, { maxLength: 400 }).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(text, (query) => {
      parseQuery(read(query));
    }),
  );
  for (const deep of ['('.repeat(16_000), 'not '.repeat(4000), '"'.repeat(16_000), 'a:'.repeat(8000)])
    parseQuery(read(deep));
});

test('many words nest no deeper than few', () => {
  const words = Array.from({ length: 100 }, (_, n) => `w${n}`);
  for (const operator of [' ', ' and ', ' or ', ' except ']) {
    const parsed = parseQuery(read(words.join(operator)));
    assert.deepEqual(parsed.notes, []);
    const last = summaryObject('http://x.org/', [['Title', 'w0']]);
    assert.equal(compileQuery(parsed.query)(last), operator === ' or ' || operator === ' except ');
  }
});

test('a query that cannot be used as written is reported, so that it deletes nothing', () => {
  for (const text of [
    'a and (b or c)',
    'title exact "red sails"',
    'not a except b',
    '#ALLB',
    'and',
    '"a ) b"',
  ])
    assert.equal(readClassicQuery(text, plain).problem, undefined, text);
  for (const text of [
    '(a',
    'a)',
    'a and',
    'a or (',
    'a ()',
    'a : ',
    '"a',
    `${'('.repeat(40)}a${')'.repeat(40)}`,
  ])
    assert.notEqual(readClassicQuery(text, plain).problem, undefined, text);
});
