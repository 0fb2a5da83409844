import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { summaryObject } from '../soif/index.ts';
import { analyse, type Token } from './analysis.ts';
import { matches } from './evaluator.ts';
import { matcherOf } from './matchers.ts';
import { parseQuery } from './parser.ts';
import type { Comparison, NearNode, PrefixNode, TextLeaf, WordLeaf, WordNode } from './tree.ts';

// A second account of what leaves mean, straight from the definitions and slow.

interface Read extends Token {
  readonly written: string;
}

const read = (text: string): Read[] =>
  analyse(text).map((token) => ({
    ...token,
    written: text.slice(token.start, token.end).replace('\u00ad', '').normalize('NFC'),
  }));

function distance(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return a.length + b.length;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  if (a[0] === b[0]) return distance(restA, restB);
  return 1 + Math.min(distance(restA, b), distance(a, restB), distance(restA, restB));
}

function isLike(wanted: Read, token: Read, how: Comparison): boolean {
  const form = how.case === true ? 'written' : how.part === true ? 'word' : 'term';
  const [own, other] = [[...wanted[form]], [...token[form]]];
  const errors = Math.min(how.errors === 'best' ? 1 : (how.errors ?? 0), own.length - 1);
  if (how.part !== true) return distance(own, other) <= errors;
  for (let from = 0; from <= other.length; from++)
    for (let to = from; to <= other.length; to++)
      if (distance(own, other.slice(from, to)) <= errors) return true;
  return false;
}

type TokenTest = (token: Read) => boolean;

function testsOf(leaf: WordLeaf): TokenTest[] {
  switch (leaf.kind) {
    case 'word':
      return read(leaf.word).map((wanted) => (token: Read) => isLike(wanted, token, leaf));
    case 'phrase':
      return leaf.words.flatMap((word) => testsOf({ ...leaf, kind: 'word', word }));
    case 'sequence':
      return leaf.parts.flatMap(testsOf);
    case 'prefix': {
      const all = read(leaf.prefix);
      const form = leaf.case === true ? 'written' : 'word';
      const how = leaf.case === true ? ({ case: true } as const) : {};
      return all.map((wanted, at) =>
        at < all.length - 1
          ? (token: Read) => isLike(wanted, token, how)
          : (token: Read) => token[form].startsWith(wanted[form]),
      );
    }
  }
}

/** Every run of tokens that is the leaf, as positions of its first and last token. */
function runsOf(leaf: NearNode['operands'][number], tokens: readonly Read[]): [number, number][] {
  if (leaf.kind === 'or') return leaf.operands.flatMap((operand) => runsOf(operand, tokens));
  const tests = testsOf(leaf);
  if (tests.length === 0) return [];
  return tokens.flatMap((_, at): [number, number][] =>
    at + tests.length <= tokens.length && tests.every((holds, index) => holds(tokens[at + index] as Read))
      ? [[at, at + tests.length - 1]]
      : [],
  );
}

function stands(leaf: TextLeaf, tokens: readonly Read[]): boolean {
  if (leaf.kind === 'regex') throw new Error('regular expressions have a test of their own');
  if (leaf.kind !== 'near') return runsOf(leaf, tokens).length > 0;
  const [lefts, rights] = leaf.operands.map((operand) => runsOf(operand, tokens)) as [
    [number, number][],
    [number, number][],
  ];
  const between = ([, end]: [number, number], [start]: [number, number]) => start - end - 1;
  return lefts.some((left) =>
    rights.some((right) =>
      [between(left, right), between(right, left)].some((gap) => gap >= 0 && gap <= leaf.distance),
    ),
  );
}

const word = fc.constantFrom(
  'run',
  'running',
  'Runs',
  'ran',
  'Café',
  'cafe',
  'node.js',
  'x',
  'proxy',
  'proxies',
  '東京都',
  '京',
  'c++',
  'so\u00adft',
  '&',
);
const comparison: fc.Arbitrary<Comparison> = fc.record(
  {
    case: fc.constant(true as const),
    part: fc.constant(true as const),
    errors: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant('best' as const)),
  },
  { requiredKeys: [] },
);
const wordNode: fc.Arbitrary<WordNode> = fc
  .tuple(word, comparison)
  .map(([text, how]) => ({ kind: 'word', word: text, ...how }));
const prefixNode: fc.Arbitrary<PrefixNode> = fc
  .tuple(fc.constantFrom('ru', 'Pro', 'pro', 'node.j', '東', '京都', 'caf'), fc.boolean())
  .map(([prefix, exact]) => ({ kind: 'prefix', prefix, ...(exact && { case: true as const }) }));
const wordLeaf: fc.Arbitrary<WordLeaf> = fc.oneof(
  wordNode,
  prefixNode,
  fc
    .tuple(fc.array(word, { minLength: 2, maxLength: 3 }), comparison)
    .map(([words, how]): WordLeaf => ({ kind: 'phrase', words, ...how })),
  fc
    .array(fc.oneof(wordNode, prefixNode), { minLength: 2, maxLength: 3 })
    .map((parts): WordLeaf => ({ kind: 'sequence', parts })),
);
const nearOperand = fc.oneof(
  { weight: 4, arbitrary: wordLeaf },
  {
    weight: 1,
    arbitrary: fc
      .array(wordLeaf, { minLength: 2, maxLength: 2 })
      .map((operands) => ({ kind: 'or', operands }) as const),
  },
);
const leaf: fc.Arbitrary<TextLeaf> = fc.oneof(
  wordLeaf,
  fc
    .tuple(nearOperand, nearOperand, fc.integer({ min: 0, max: 4 }))
    .map(([left, right, reach]): TextLeaf => ({ kind: 'near', distance: reach, operands: [left, right] })),
);
const text = fc.array(word, { maxLength: 10 }).map((words) => words.join(' '));

test('words, phrases, prefixes, errors, parts, case and NEAR mean what a plain reading says', () => {
  let found = 0;
  fc.assert(
    fc.property(leaf, fc.array(text, { minLength: 1, maxLength: 3 }), (node, texts) => {
      const matcher = matcherOf(node);
      for (const one of texts) {
        const expected = stands(node, read(one));
        if (expected) found++;
        assert.equal(matcher.test(one), expected, JSON.stringify([node, one]));
        let seen = 0;
        let lastEnd = 0;
        matcher.search(one, (_, start, end) => {
          seen++;
          assert.ok(start < end && end <= one.length && end >= lastEnd);
          lastEnd = end;
          if (node.kind !== 'near')
            assert.ok(stands(node, read(one.slice(start, end))), one.slice(start, end));
          return false;
        });
        assert.equal(seen > 0, expected);
      }
    }),
    { numRuns: 3000 },
  );
  assert.ok(found > 500, `only ${found} matches`);
});

const object = summaryObject('http://docs.example.org/', [
  ['Title', 'Configuring reverse proxies'],
  ['Author-1', 'Ada Lovelace'],
  ['Full-Text', 'The load balancer forwards requests. Reverse-proxy set-up follows; McDonald says NaN.'],
]);
const finds = (query: string) => matches(object, parseQuery(query).query);

test('what each of them finds', () => {
  for (const query of [
    'load NEAR requests',
    'requests NEAR/2 load',
    'load NEAR/0 balancer',
    '"load balancer" NEAR/1 (sends OR requests)',
    'forward* NEAR/1 load',
    'confi*',
    '"reverse prox*"',
    'balanser~',
    'blanc~2',
    'proxe~best',
    '"load balanser~ forwards"',
    '"lod balanser"~',
    '#case McDonald',
    '#part onald',
    '#errors 1 balanser forwerds',
    '#case (Reverse NEAR/0 proxy)',
    'Title: confi*',
    'Author: lovelce~',
    'Title: (reverse NEAR/0 proxy)',
  ])
    assert.ok(finds(query), query);
  for (const query of [
    'load NEAR/1 requests',
    'configuring NEAR/100 balancer',
    'lovelace NEAR configuring',
    'onfi*',
    'balanser',
    'blnc~1',
    '#case mcdonald',
    '#case nan',
    'onald',
    'Title: forward*',
    '"forwards balanser~"',
    'reverse NEAR/3 reverse',
  ])
    assert.ok(!finds(query), query);
});
