import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isPlainWord } from './lexer.ts';
import { parseQuery, queryBounds } from './parser.ts';
import { printQuery } from './printer.ts';
import { maxExpressions } from './regex-text.ts';
import type {
  Comparison,
  NearOperand,
  PhraseNode,
  PrefixNode,
  QueryNode,
  RangeNode,
  RegexNode,
  WordLeaf,
  WordNode,
} from './tree.ts';

/** Nothing but quotes says how these words are compared. */
const isBare = (how: Comparison) => Object.keys(how).length === 0;
const word = (text: string, how: Comparison = {}): WordNode => ({
  ...{ kind: 'word', word: text, ...how },
  ...(isBare(how) && !isPlainWord(text) && { typed: true }),
});
const prefix = (text: string): PrefixNode => ({ kind: 'prefix', prefix: text });
const regex = (pattern: string): RegexNode => ({ kind: 'regex', pattern });
const over = (value: string): RangeNode => ({ kind: 'range', from: { value, exclusive: true } });
const between = (from: string, to: string): RangeNode => ({
  kind: 'range',
  from: { value: from },
  to: { value: to },
});
const near = (distance: number, left: NearOperand, right: NearOperand): QueryNode => ({
  ...{ kind: 'near', distance },
  operands: [left, right],
});
const and = (...operands: QueryNode[]): QueryNode => ({ kind: 'and', operands });
const or = (...operands: QueryNode[]): QueryNode => ({ kind: 'or', operands });
const any = (...operands: NearOperand[]): NearOperand => ({ kind: 'or', operands });
const not = (operand: QueryNode): QueryNode => ({ kind: 'not', operand });
const phrase = (...words: string[]): PhraseNode => ({ kind: 'phrase', words, typed: true });
const typed = (text: string): WordNode => word(text, { typed: true });
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
  ['"one"', typed('one')],
  ['"AND"', typed('AND')],
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
  ['a NEAR b', near(10, word('a'), word('b'))],
  ['a NEAR/3 "b c"', near(3, word('a'), phrase('b', 'c'))],
  ['a NEAR/0 (b OR pre*) c', and(near(0, word('a'), any(word('b'), prefix('pre'))), word('c'))],
  ['a NEAR/1 b NEAR/2 c', and(near(1, word('a'), word('b')), near(2, word('b'), word('c')))],
  ['x OR a NEAR b y', or(word('x'), and(near(10, word('a'), word('b')), word('y')))],
  ['NOT (a NEAR b)', not(near(10, word('a'), word('b')))],
  ['Title: (a NEAR b)', within('Title', near(10, word('a'), word('b')))],
  ['near NEARBY', and(word('near'), word('NEARBY'))],
  ['pre*', prefix('pre')],
  ['-pre**', not(prefix('pre'))],
  ['東*', prefix('東')],
  ['Title: pre*', within('Title', prefix('pre'))],
  ['"pre"*', prefix('pre')],
  ['word~', word('word', { errors: 1 })],
  ['word~2', word('word', { errors: 2 })],
  ['word~best', word('word', { errors: 'best' })],
  ['word~2024', word('word~2024')],
  ['~2', word('~2')],
  ['"a b"~2', { kind: 'phrase', words: ['a', 'b'], errors: 2 }],
  ['"a~2 b~2"', { kind: 'phrase', words: ['a', 'b'], errors: 2 }],
  [
    '"exact approximat~1 beg*"',
    { kind: 'sequence', parts: [typed('exact'), word('approximat', { errors: 1 }), prefix('beg')] },
  ],
  ['"new yor"*', { kind: 'sequence', parts: [typed('new'), prefix('yor')] }],
  ['/a+b/', regex('a+b')],
  ['/a b/ c', and(regex('a b'), word('c'))],
  ['/a\\/b/', regex('a/b')],
  ['Title: /^a/', within('Title', regex('^a'))],
  ['Title:/^a/', within('Title', regex('^a'))],
  ['-/a/', not(regex('a'))],
  ['(/a|b/)', regex('a|b')],
  ['/etc/passwd', word('/etc/passwd')],
  ['File-Size: >10k', within('File-Size', over('10k'))],
  ['File-Size:>10k', within('File-Size', over('10k'))],
  ['File-Size: >= 10k', within('File-Size', { kind: 'range', from: { value: '10k' } })],
  ['File-Size: <10k', within('File-Size', { kind: 'range', to: { value: '10k', exclusive: true } })],
  ['File-Size: =10', within('File-Size', { kind: 'range', from: { value: '10' }, to: { value: '10' } })],
  ['Date: 2024-01..2024-06-30', within('Date', between('2024-01', '2024-06-30'))],
  ['Date:..2024', within('Date', { kind: 'range', to: { value: '2024' } })],
  ['Date: 2024..', within('Date', { kind: 'range', from: { value: '2024' } })],
  [
    'Date: 2024-01-01T10:00..2024-01-01T11:00',
    within('Date', between('2024-01-01T10:00', '2024-01-01T11:00')),
  ],
  ['Title: "a b".."c d"', within('Title', between('a b', 'c d'))],
  ['Title: >"a b"', within('Title', over('a b'))],
  ['Date: (>2024 AND NOT >2025)', within('Date', and(over('2024'), not(over('2025'))))],
  ['2024..2025', word('2024..2025')],
  ['Title: wait...what', within('Title', word('wait...what'))],
  ['#case Foo', word('Foo', { case: true })],
  ['Foo #case', word('Foo', { case: true })],
  ['#part oo "b c"', and(word('oo', { part: true }), { kind: 'phrase', words: ['b', 'c'], part: true })],
  ['(#case Foo) bar', and(word('Foo', { case: true }), word('bar'))],
  ['Title: (#case Foo)', within('Title', word('Foo', { case: true }))],
  [
    '#errors 2 a b~1 c~0 pre*',
    and(word('a', { errors: 2 }), word('b', { errors: 1 }), word('c', { errors: 0 }), prefix('pre')),
  ],
  ['#errors best a', word('a', { errors: 'best' })],
  ['#case /a/ Title: >b', and({ ...regex('a'), case: true }, within('Title', { ...over('b'), case: true }))],
  ['#case ((#part a) b)', and(word('a', { case: true, part: true }), word('b', { case: true }))],
  ['“NEAR/2 (“*', phrase('NEAR/2', '(')],
  ['" ( b~best " #errors 2', { kind: 'phrase', words: ['(', 'b'], errors: 'best' }],
  [
    '"( b c~2"',
    { kind: 'sequence', parts: [{ kind: 'word', word: '(' }, typed('b'), word('c', { errors: 2 })] },
  ],
  [
    '#errors 2 "( b~1 c"',
    {
      kind: 'sequence',
      parts: [{ kind: 'word', word: '(' }, word('b', { errors: 1 }), word('c', { errors: 2 })],
    },
  ],
  ['"#case" a', and(typed('#case'), word('a'))],
  ['#include <stdio.h>', and(word('#include'), word('<stdio.h>'))],
  ['#errors', word('#errors')],
];

test('queries are read as written', () => {
  for (const [text, expected] of cases) {
    const { query, understood, notes } = parseQuery(text);
    assert.deepEqual(query, expected, text);
    assert.deepEqual(parseQuery(understood).query, expected, `${text} was understood as ${understood}`);
    assert.deepEqual(notes, [], text);
  }
});

test('parts that cannot be understood are searched as words or left out, with a note', () => {
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
    ['a NEAR', word('a'), /NEAR has nothing/],
    ['NEAR a', word('a'), /NEAR has nothing/],
    ['NEAR', word('NEAR'), /searched as words/],
    ['a NEAR (b c)', and(word('a'), and(word('b'), word('c'))), /NEAR joins words/],
    ['a NEAR Title: b', and(word('a'), within('Title', word('b'))), /NEAR joins words/],
    ['a NEAR/5000 b', near(1000, word('a'), word('b')), /at most 1000 words/],
    ['a~9', word('a', { errors: 8 }), /at most 8 errors/],
    ['a*', word('a'), /too short/],
    ['a*b', word('a*b'), /end of a word only/],
    ['/a(/ b', and(typed('/a'), word('b')), /cannot be searched for: a \( is not closed/],
    ['Date: <30d', within('Date', { kind: 'range', to: { value: '30d', exclusive: true } }), /write a date/],
    ['#max 99999999 a', word('a'), /lowered to 10000/],
    ['NOT #case', word('NOT', { case: true }), /searched as words/],
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
  '#include',
  '#case',
  'NEAR/2',
  '/x/',
  '>5',
  'a..b',
);
const comparison: fc.Arbitrary<Comparison> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        case: fc.constant(true as const),
        part: fc.constant(true as const),
        errors: fc.oneof(fc.integer({ min: 0, max: 8 }), fc.constant('best' as const)),
      },
      { requiredKeys: [] },
    ),
  },
);
const prefixLeaf = fc.constantFrom('pre', 'Zü', '東', 'x-yz', 'a:bc', 'AND').map(prefix);
const wordLeaf: fc.Arbitrary<WordLeaf> = fc.oneof(
  fc
    .tuple(plain, comparison, fc.boolean())
    .map(([text, how, quoted]) => (isBare(how) && quoted ? typed(text) : word(text, how))),
  prefixLeaf,
  fc
    .tuple(fc.array(plain, { minLength: 2, maxLength: 4 }), comparison)
    .map(([words, how]) => (isBare(how) ? phrase(...words) : ({ kind: 'phrase', words, ...how } as const))),
  fc.tuple(plain, prefixLeaf, comparison).map(
    ([text, last, { case: _case, part: _part, ...how }]): WordLeaf => ({
      kind: 'sequence',
      parts: [isBare(how) ? typed(text) : word(text, how), last],
    }),
  ),
);
const nearLeaf = fc
  .tuple(wordLeaf, wordLeaf, wordLeaf, fc.integer({ min: 0, max: 1000 }))
  .map(([a, b, c, distance]): QueryNode => near(distance, a, any(b, c)));
const regexLeaf = fc
  .tuple(fc.constantFrom('a', 'a/b', '\\d+', '[/"]', 'a b', '(x|y)*', '\\\\', '#case'), fc.boolean())
  .map(([pattern, exact]): RegexNode => ({ ...regex(pattern), ...(exact && { case: true }) }));
const bound = fc
  .tuple(fc.constantFrom('10k', '2024-01', 'a', 'new york', '-5', 'a.b', '#case', 'NOT'), fc.boolean())
  .map(([value, open]) => ({ value, ...(open && { exclusive: true as const }) }));
const range: fc.Arbitrary<RangeNode> = fc.oneof(
  bound.map((from): RangeNode => ({ kind: 'range', from })),
  bound.map((to): RangeNode => ({ kind: 'range', to })),
  fc.tuple(bound, bound).map(([from, to]) => between(from.value, to.value)),
);
const leaf: fc.Arbitrary<QueryNode> = fc.oneof(
  wordLeaf,
  nearLeaf,
  regexLeaf,
  fc.tuple(fc.constantFrom('Date', 'X-y_2'), range).map(([name, operand]) => within(name, operand)),
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
    'NEAR',
    'NEAR/2',
    '~2',
    'b~best',
    'b~1',
    'pre*',
    '/a+/',
    '/(/',
    '>5',
    '1..',
    '..',
    '2024-01',
    '#case',
    '#part',
    '#errors 2',
    '#max 3',
  );
  const garbage = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(pieces, { maxLength: 200 }).map((all) => all.join('')),
    fc.array(pieces, { maxLength: 200 }).map((all) => all.join(' ')),
  );
  fc.assert(
    fc.property(garbage, (text) => {
      const { query, options, understood } = parseQuery(text);
      assert.ok(sizeOf(query) <= queryBounds.nodes + 2);
      assert.ok(depthOf(query) <= 3 * queryBounds.depth + 4);
      assert.ok(understood.endsWith(printQuery(query)));
      if (understood.length > queryBounds.length) return;
      const again = parseQuery(understood);
      assert.deepEqual(again.query, query, text);
      assert.deepEqual([again.options.lines, again.options.max], [options.lines, options.max]);
    }),
    { numRuns: 2000, examples: [['">5*"'], ['"a b*"'], ['"5*" >5*']] },
  );
});

test('options are read at any place, and given ones apply where the text has none', () => {
  const parsed = parseQuery('(a #max 20) #lines 3 b');
  assert.deepEqual(parsed.options, { lines: 3, max: 20 });
  assert.equal(parsed.understood, '#lines 3 #max 20 a AND b');
  const given = parseQuery('#max 5 a', { options: { max: 20, lines: 2, case: true, errors: 1 } });
  assert.deepEqual(given.options, { max: 5, lines: 2, case: true, errors: 1 });
  assert.equal(given.understood, '#lines 2 #max 5 #case a~1');
  assert.deepEqual(parseQuery('#case #max 7').query, { kind: 'all' });
});

test('only so many words may have errors, and regular expressions have a size together', () => {
  const many = parseQuery(Array.from({ length: 40 }, (_, at) => `word${at}~2`).join(' '));
  assert.match(many.notes.join(), /at most 32 words may have errors/);
  assert.equal(many.understood.split('~2').length - 1, 32);
  const large = parseQuery('/a{600}/ /b{600}/');
  assert.match(large.notes.join(), /too large together/);
  assert.equal(large.understood, '/a{600}/ AND "/b{600}/"');
  // Expressions after a too large one are not even compiled, however small they are.
  assert.equal(parseQuery('/a{600}/ /b{600}/ /c/').understood, '/a{600}/ AND "/b{600}/" AND "/c/"');
  const numerous = Array.from({ length: maxExpressions + 9 }, (_, at) => `/a${at}/`).join(' OR ');
  assert.match(parseQuery(numerous).understood, /\/a31\/ OR "\/a32\/" OR .* "\/a40\/"$/);
  const same = Array.from({ length: maxExpressions + 9 }, () => '/a/').join(' ');
  assert.deepEqual(parseQuery(same).notes, []);
});
