import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { summaryObject } from '../../soif/index.ts';
import { parseQuery } from '../syntax/parser.ts';
import type { QueryNode } from '../syntax/tree.ts';
import { matches } from './evaluator.ts';
import { attributesOf, ObjectTerms } from './object-terms.ts';
import { requiredWords, type WordPlace } from './required-words.ts';

const words = [
  'fox',
  'foxes',
  'den',
  'node.js',
  'node',
  'js',
  '東京都',
  '?',
  'c++',
  'Häuser',
  'haus',
  'книги',
];
const names = ['Title', 'author', 'Author-1', 'URL', 'Type', 'missing'];
const word = fc.constantFrom(...words);

const wordNode = fc.record({ kind: fc.constant('word' as const), word });

const { query } = fc.letrec<{ query: QueryNode }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'query' },
    fc.record({ kind: fc.constant('word' as const), word }),
    fc.record({ kind: fc.constant('word' as const), word, case: fc.constant(true as const) }),
    fc.record({
      kind: fc.constant('phrase' as const),
      words: fc.array(word, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('word' as const), word, case: fc.constant(true as const) }),
    fc.record({ kind: fc.constant('word' as const), word, errors: fc.integer({ min: 0, max: 1 }) }),
    fc.record({
      kind: fc.constant('near' as const),
      distance: fc.integer({ min: 0, max: 2 }),
      operands: fc.tuple(
        wordNode,
        fc.oneof(
          wordNode,
          wordNode.map((one) => ({ kind: 'or' as const, operands: [one] })),
        ),
      ),
    }),
    fc.record({
      kind: fc.constant('sequence' as const),
      parts: fc.tuple(wordNode, fc.constant({ kind: 'prefix' as const, prefix: 'fo' })),
    }),
    fc.constant({ kind: 'all' as const }),
    fc.record({
      kind: fc.constant('attribute' as const),
      name: fc.constantFrom(...names),
      operand: tie('query'),
    }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      operands: fc.array(tie('query'), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant('not' as const), operand: tie('query') }),
  ),
}));

const object = fc
  .array(
    fc.tuple(
      fc.constantFrom('Title', 'Author-1', 'Author-2', 'Type', 'Full-Text', 'MD5'),
      fc.array(word, { maxLength: 4 }).map((some) => some.join(' ')),
    ),
    { maxLength: 5 },
  )
  .chain((attributes) =>
    fc
      .constantFrom('en', 'de', 'ru', 'xx')
      .map((language) =>
        summaryObject('http://fox.example.org/den', [['Language', language], ...attributes]),
      ),
  );

const rarity = ({ word }: WordPlace) => word.length;

test('an object that matches has the words that its query requires, in its language', () => {
  let decided = 0;
  fc.assert(
    fc.property(query, object, (tree, one) => {
      const { anyOf, allOf, isAll } = requiredWords(tree, rarity);
      const terms = new ObjectTerms(one, new Set(attributesOf(tree)));
      const hasThem =
        (anyOf === undefined || anyOf.some((place) => terms.has(place))) &&
        allOf.every((place) => terms.has(place));
      if (matches(one, tree)) assert.ok(hasThem);
      else assert.ok(!hasThem || !isAll);
      if (isAll) decided++;
    }),
    { numRuns: 5000 },
  );
  assert.ok(decided > 500, `${decided} of 5000`);
});

test('the verdict of terms on a query is the verdict of the query', () => {
  let decided = 0;
  fc.assert(
    fc.property(query, object, (tree, one) => {
      const judged = new ObjectTerms(one, new Set(attributesOf(tree))).judge(tree);
      if (judged === undefined) return;
      decided++;
      assert.equal(judged, matches(one, tree));
    }),
    { numRuns: 3000 },
  );
  assert.ok(decided > 1000, `${decided} of 3000`);
});

test('the rarest required words are found', () => {
  const places = (text: string) => {
    const { anyOf, allOf } = requiredWords(parseQuery(text).query, rarity);
    const shown = ({ word, attribute }: WordPlace) =>
      attribute === undefined ? word : `${attribute}:${word}`;
    return [anyOf?.map(shown), allOf.map(shown)];
  };
  assert.deepEqual(places('database fox'), [['fox'], ['database']]);
  assert.deepEqual(places('(fox OR den) AND database'), [['fox', 'den'], ['database']]);
  assert.deepEqual(places('fox OR den'), [['fox', 'den'], []]);
  assert.deepEqual(places('Title: fox -den'), [['title:fox'], []]);
  assert.deepEqual(places('"fast database"'), [['fast'], ['database']]);
  assert.deepEqual(places('(fox database) OR (fox systems)'), [['fox'], []]);
  assert.deepEqual(places('-fox'), [undefined, []]);
  assert.deepEqual(places('*'), [undefined, []]);
  assert.deepEqual(places('fox OR -den'), [undefined, []]);
  assert.deepEqual(places('NOT *'), [[], []]);
  assert.deepEqual(places('fox AND NOT *')[0], []);
  const many = Array.from({ length: 17 }, (_, n) => `w${n}`).join(' OR ');
  assert.deepEqual(places(many), [undefined, []]);
});

test('a node with more to it than its words requires nothing', () => {
  const near = { kind: 'near', operands: [] } as unknown as QueryNode;
  const fuzzy = { kind: 'word', word: 'fox', errors: 1 } as unknown as QueryNode;
  for (const node of [near, fuzzy]) {
    assert.equal(requiredWords(node, rarity).anyOf, undefined);
    assert.equal(new ObjectTerms(summaryObject('x', []), new Set()).judge(node), undefined);
    const and: QueryNode = { kind: 'and', operands: [node, { kind: 'word', word: 'den' }] };
    assert.deepEqual(requiredWords(and, rarity).anyOf, [{ word: 'den', attribute: undefined }]);
  }
});
