import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQuery, queryBounds } from './parser.ts';
import { printQuery } from './printer.ts';
import type { QueryNode } from './tree.ts';

const word = (text: string): QueryNode => ({ kind: 'word', word: text });
const and = (...operands: QueryNode[]): QueryNode => ({ kind: 'and', operands });
const or = (...operands: QueryNode[]): QueryNode => ({ kind: 'or', operands });
const not = (operand: QueryNode): QueryNode => ({ kind: 'not', operand });
const phrase = (...words: string[]): QueryNode => ({ kind: 'phrase', words });
const within = (name: string, operand: QueryNode): QueryNode => ({ kind: 'attribute', name, operand });

const cases: [string, QueryNode][] = [
  ['apache', word('apache')],
  ['a b c', and(word('a'), word('b'), word('c'))],
  ['a AND b OR c', or(and(word('a'), word('b')), word('c'))],
  ['a OR b c', or(word('a'), and(word('b'), word('c')))],
  ['NOT a b', and(not(word('a')), word('b'))],
  ['a AND NOT (b OR c)', and(word('a'), not(or(word('b'), word('c'))))],
  ['a and b or not c', and(word('a'), word('and'), word('b'), word('or'), word('not'), word('c'))],
  ['a -b', and(word('a'), not(word('b')))],
  ['-"a b" c', and(not(phrase('a', 'b')), word('c'))],
  ['git --force', and(word('git'), word('--force'))],
  ['foo-bar', word('foo-bar')],
  ['"new york" hotel', and(phrase('new', 'york'), word('hotel'))],
  ['“new york”', phrase('new', 'york')],
  ['«new york»', phrase('new', 'york')],
  ['"one"', word('one')],
  ['"AND"', word('AND')],
  ['Title: apache', within('Title', word('apache'))],
  ['Title:apache proxy', and(within('Title', word('apache')), word('proxy'))],
  ['Title:"apache proxy"', within('Title', phrase('apache', 'proxy'))],
  ['title: (a OR b) c', and(within('title', or(word('a'), word('b'))), word('c'))],
  ['Embed<1>-Title: x', within('Embed<1>-Title', word('x'))],
  ['-Author: x', not(within('Author', word('x')))],
  ['http://example.org/x', word('http://example.org/x')],
  ['std::string', word('std::string')],
  ['12:30', word('12:30')],
  ['C:\\temp', word('C:\\temp')],
  ['url:http://x.org/a', within('url', word('http://x.org/a'))],
  ['Title: (Author: x)', within('Title', within('Author', word('x')))],
  ['*', { kind: 'all' }],
  ['* -a', and({ kind: 'all' }, not(word('a')))],
  ['', { kind: 'all' }],
];

test('queries are read as written', () => {
  for (const [text, expected] of cases) {
    const { query, understood, notes } = parseQuery(text);
    assert.deepEqual(query, expected, text);
    assert.deepEqual(parseQuery(understood).query, expected, `${text} was understood as ${understood}`);
    assert.deepEqual(notes, [], text);
  }
});

test('what cannot be understood is searched as words or left out, and said', () => {
  const broken: [string, QueryNode, RegExp][] = [
    ['"new york', and(word('new'), word('york')), /quotation mark/],
    ['a "b c" "d', and(word('a'), phrase('b', 'c'), word('d')), /quotation mark/],
    ['(a OR b', or(word('a'), word('b')), /not closed/],
    ['a) b', and(word('a'), word('b')), /no partner/],
    ['a AND', word('a'), /AND has nothing/],
    ['OR a', word('a'), /OR has nothing/],
    ['a OR OR b', or(word('a'), word('b')), /OR has nothing/],
    ['a NOT', word('a'), /NOT has nothing/],
    ['NOT', word('NOT'), /searched as words/],
    ['AND OR', and(word('AND'), word('OR')), /searched as words/],
    ['Title:', word('Title'), /no value follows/],
    ['Title: AND b', and(word('Title'), word('b')), /no value follows/],
    ['a & b', and(word('a'), word('b')), /left out/],
    ['()', not({ kind: 'all' }), /nothing can match/],
    ['?!', not({ kind: 'all' }), /nothing can match/],
  ];
  for (const [text, expected, note] of broken) {
    const { query, notes } = parseQuery(text);
    assert.deepEqual(query, expected, text);
    assert.match(notes.join('\n'), note, text);
  }
});

const plain = fc.constantFrom(
  'a',
  'Word',
  'naïve',
  '東京',
  'AND',
  'OR',
  'NOT',
  'and',
  'a:b',
  'x-y',
  '-x',
  '--x',
  '12:30',
  'c++',
);
const leaf: fc.Arbitrary<QueryNode> = fc.oneof(
  plain.map(word),
  fc.array(plain, { minLength: 2, maxLength: 4 }).map((words) => phrase(...words)),
  fc.constant<QueryNode>({ kind: 'all' }),
);
const tree = fc.letrec<{ node: QueryNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'query' },
    leaf,
    fc.array(tie('node'), { minLength: 2, maxLength: 3 }).map((operands) => and(...operands)),
    fc.array(tie('node'), { minLength: 2, maxLength: 3 }).map((operands) => or(...operands)),
    tie('node').map(not),
    fc
      .tuple(fc.constantFrom('Title', 'author', 'X-y_2', 'Embed<2>-Title'), tie('node'))
      .map(([name, operand]) => within(name, operand)),
  ),
})).node;

test('print then parse gives the tree back', () => {
  fc.assert(
    fc.property(tree, (node) => {
      const text = printQuery(node);
      fc.pre(text.length <= queryBounds.length);
      assert.deepEqual(parseQuery(text).query, node, text);
    }),
    { numRuns: 2000 },
  );
});

const depthOf = (node: QueryNode): number =>
  'operands' in node
    ? 1 + Math.max(...node.operands.map(depthOf))
    : 'operand' in node
      ? 1 + depthOf(node.operand)
      : 1;
const sizeOf = (node: QueryNode): number =>
  'operands' in node
    ? node.operands.reduce((sum, operand) => sum + sizeOf(operand), 1)
    : 'operand' in node
      ? 1 + sizeOf(node.operand)
      : 1;

test('any text gives a bounded tree that prints and parses again', () => {
  const pieces = fc.constantFrom(
    '(',
    ')',
    '"',
    '“',
    '-',
    'AND',
    'OR',
    'NOT',
    'Title:',
    'a',
    ' ',
    ':',
    '*',
    '\ud800',
    '&',
  );
  const garbage = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(pieces, { maxLength: 200 }).map((all) => all.join('')),
    fc.array(pieces, { maxLength: 200 }).map((all) => all.join(' ')),
  );
  fc.assert(
    fc.property(garbage, (text) => {
      const { query, understood } = parseQuery(text);
      assert.ok(sizeOf(query) <= queryBounds.nodes + 2);
      assert.ok(depthOf(query) <= 3 * queryBounds.depth + 4);
      assert.equal(understood, printQuery(query));
      if (understood.length <= queryBounds.length)
        assert.deepEqual(parseQuery(understood).query, query, text);
    }),
    { numRuns: 2000 },
  );
});

test('hostile texts are bounded in size and time', () => {
  const started = performance.now();
  for (const unit of [
    '(',
    ')',
    '"',
    '-',
    'NOT ',
    'a ',
    'a OR ',
    'Title:',
    'T:(',
    '“a ',
    'a:',
    '-(',
    '( ) ',
  ]) {
    const { query, notes } = parseQuery(unit.repeat(100_000));
    assert.ok(sizeOf(query) <= queryBounds.nodes + 2, unit);
    assert.match(notes.join(), /only the first 4096/);
  }
  const took = performance.now() - started;
  assert.ok(took < 5_000, `took ${took} ms`);
});
