import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { matches, parseQuery } from '../../query/index.ts';
import { summaryObject } from '../../soif/index.ts';
import { QueryIndex } from './query-index.ts';

const texts = [
  'fox',
  'fox den',
  '"fox den"',
  'fox OR owl',
  'fox -owl',
  '-fox',
  '*',
  'NOT *',
  'Title: fox',
  'Author: (fox OR owl)',
  'fox AND (den OR owl OR "den fox")',
  'type: html fox',
  'node.js',
  'Haus',
  'Häuser AND fox',
];

const word = fc.constantFrom('fox', 'foxes', 'den', 'owl', 'node.js', 'html', 'Häuser', 'Hauses');
const object = fc
  .array(
    fc.tuple(fc.constantFrom('Title', 'Author-1', 'Type', 'Full-Text'), fc.array(word, { maxLength: 5 })),
    {
      maxLength: 4,
    },
  )
  .chain((attributes) =>
    fc
      .constantFrom('en', 'de', 'fr')
      .map((language) =>
        summaryObject('http://example.org/', [
          ['Language', language],
          ...attributes.map(([name, words]) => [name, words.join(' ')] as const),
        ]),
      ),
  );

const step = fc.oneof(
  fc.record({ do: fc.constant('add' as const), text: fc.nat(texts.length - 1) }),
  fc.record({ do: fc.constant('remove' as const), which: fc.nat(20) }),
  fc.record({ do: fc.constant('match' as const), object }),
);

test('the queries that match are found, after any additions and removals', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
      const queries = new Map<number, string>();
      const treeOf = (number: number) => parseQuery(queries.get(number) ?? '').query;
      const index = new QueryIndex(treeOf);
      let next = 0;
      for (const one of steps) {
        if (one.do === 'add') {
          queries.set(++next, texts[one.text] as string);
          index.add(next, treeOf(next));
        } else if (one.do === 'remove') {
          const number = [...queries.keys()][one.which];
          if (number === undefined) continue;
          index.remove(number);
          queries.delete(number);
        } else {
          const expected = [...queries.keys()].filter((number) => matches(one.object, treeOf(number)));
          const { matched, evaluated, candidates } = index.match(one.object);
          assert.deepEqual(
            [...matched].sort((a, b) => a - b),
            expected,
          );
          assert.ok(evaluated >= matched.length && candidates >= evaluated && candidates <= queries.size);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('queries without a term of the object are not evaluated, nor those that lack another one', () => {
  const queries = Array.from({ length: 10_000 }, (_, n) => `word${n} fox${n % 100}`);
  const index = new QueryIndex((number) => parseQuery(queries[number] as string).query);
  for (const [number, text] of queries.entries()) index.add(number, parseQuery(text).query);
  index.add(queries.push('-fox1') - 1, parseQuery('-fox1').query);
  assert.equal(index.always, 1);
  const { matched, evaluated, candidates } = index.match(
    summaryObject('x', [['Title', 'word4223 word77 and fox23']]),
  );
  assert.deepEqual(matched.toSorted(), [10_000, 4223]);
  assert.equal(evaluated, 2);
  assert.equal(candidates, 3);
});
