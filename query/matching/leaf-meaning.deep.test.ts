import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { summaryObject } from '../../soif/index.ts';
import { parseQuery } from '../syntax/parser.ts';
import type { Comparison, PrefixNode, TextLeaf, WordLeaf, WordNode } from '../syntax/tree.ts';
import { occurs, read } from '../testing/reference-reader.ts';
import { matches } from './evaluator.ts';
import { matcherOf } from './matchers.ts';

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

test('words, phrases, prefixes, errors, parts, case and NEAR agree with a plain definition', () => {
  let found = 0;
  const numRuns = Number(process.env.GARNER_TEST_RUNS ?? 1200);
  fc.assert(
    fc.property(leaf, fc.array(text, { minLength: 1, maxLength: 3 }), (node, texts) => {
      const matcher = matcherOf(node);
      for (const one of texts) {
        const expected = occurs(node, read(one));
        if (expected) found++;
        assert.equal(matcher.test(one), expected, JSON.stringify([node, one]));
        let seen = 0;
        let lastEnd = 0;
        matcher.search(one, (_, start, end) => {
          seen++;
          assert.ok(start < end && end <= one.length && end >= lastEnd);
          lastEnd = end;
          if (node.kind !== 'near')
            assert.ok(occurs(node, read(one.slice(start, end))), one.slice(start, end));
          return false;
        });
        assert.equal(seen > 0, expected);
      }
    }),
    { numRuns },
  );
  assert.ok(found > numRuns / 10, `only ${found} matches`);
});

const object = summaryObject('http://docs.example.org/', [
  ['Title', 'Configuring reverse proxies'],
  ['Author-1', 'Ada Lovelace'],
  ['Full-Text', 'The load balancer forwards requests. Reverse-proxy set-up follows; McDonald says NaN.'],
]);
const finds = (query: string) => matches(object, parseQuery(query).query);

test('each kind of leaf finds its examples', () => {
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
