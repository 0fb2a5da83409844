import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { summaryObject } from '../../soif/index.ts';
import type { ComparisonOptions } from '../syntax/comparison.ts';
import { parseQuery } from '../syntax/parser.ts';
import {
  holds,
  type Mark,
  now,
  operatorsOf,
  type Run,
  type Side,
  type Test,
  textOf,
  type Written,
} from '../testing/arbitrary-query.ts';
import { matches } from './evaluator.ts';

const words = ['run', 'running', 'Runs', 'proxy', 'Proxies', 'node.js', 'Café', 'x86', 'balance', '東京都'];
const word = fc.constantFrom(...words);
const mark = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Mark>(undefined) },
  { weight: 1, arbitrary: fc.constantFrom<Mark>(0, 1, 2, 'best') },
);
const marked = fc.record({ kind: fc.constant('word' as const), word, mark });
const prefix = fc.record({
  kind: fc.constant('prefix' as const),
  prefix: fc.constantFrom('ru', 'Pro', 'prox', 'bal', 'caf', 'x8'),
});
const run: fc.Arbitrary<Run> = fc.oneof(
  { weight: 3, arbitrary: marked },
  fc.record({
    kind: fc.constant('phrase' as const),
    words: fc.array(word, { minLength: 2, maxLength: 2 }),
    mark: fc.constantFrom<Mark>(undefined, undefined, 1),
  }),
  prefix,
  fc.record({ kind: fc.constant('sequence' as const), parts: fc.tuple(marked, prefix) }),
);
const side: fc.Arbitrary<Side> = fc.oneof(
  { weight: 3, arbitrary: run },
  fc.record({ kind: fc.constant('either' as const), runs: fc.tuple(run, run) }),
);

const seconds = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000;
const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
const size = (text: string, from: number, to: number): [string, Test] => [
  'File-Size',
  { text, holds: (value) => Number(value) >= from && Number(value) <= to },
];
const time = (text: string, from: number, to: number): [string, Test] => [
  'Update-Time',
  { text, holds: (value) => Number(value) >= from && Number(value) < to },
];
const between = (text: string, holdsOf: (value: string) => boolean): [string, Test] => [
  'Author',
  { text, holds: (value, exact) => holdsOf(exact ? value : folded(value)) },
];
const ranges = [
  ...[
    size('>10k', 10_001, 1e12),
    size('>=10k', 10_000, 1e12),
    size('<2Ki', 0, 2047),
    size('<=2048', 0, 2048),
  ],
  ...[
    size('=10000', 10_000, 10_000),
    size('2k..10k', 2000, 10_000),
    size('..5', 0, 5),
    size('1M..', 1e6, 1e12),
  ],
  time('2024', seconds('2024-01-01'), seconds('2025-01-01')),
  time('2024-06..2024-07', seconds('2024-06-01'), seconds('2024-08-01')),
  time('>2024-06-30', seconds('2024-07-01'), 1e12),
  time('<30d', now - 30 * 86_400 + 1, 1e12),
  time('>=1y', 0, now - 365 * 86_400 + 1),
  between('b..m', (value) => value >= 'b' && value <= 'm'),
  between('>=lovelace', (value) => value >= 'lovelace'),
  between('"ada l".."ada m"', (value) => value >= 'ada l' && value <= 'ada m'),
];
// A bare time is a word: as a range it is written with `=`.
const range = fc.constantFrom(...ranges).chain(([name, one]) =>
  fc.boolean().map(
    (refused): Written => ({
      ...{ kind: 'range', name, refused },
      test: one.text === '2024' ? { ...one, text: '=2024' } : one,
    }),
  ),
);

const { written } = fc.letrec<{ written: Written }>((tie) => {
  const deeper = fc.array(tie('written'), { minLength: 2, maxLength: 3 });
  return {
    written: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'written' },
      { weight: 4, arbitrary: run },
      range,
      fc.record({
        kind: fc.constant('regex' as const),
        pattern: fc.constantFrom(
          'pr[ao]x',
          '^run',
          'balance$',
          'node\\.?js',
          '(caf|run)[a-z]+',
          'x\\d+',
          '\\bRun',
        ),
      }),
      fc.record({
        kind: fc.constant('near' as const),
        distance: fc.constantFrom(undefined, 0, 1, 3),
        sides: fc.tuple(side, side),
      }),
      fc.constant<Written>({ kind: 'all' }),
      fc.record({ kind: fc.constant('and' as const), parts: deeper, said: fc.boolean() }),
      fc.record({ kind: fc.constant('or' as const), parts: deeper }),
      fc.record({ kind: fc.constant('not' as const), part: tie('written'), minus: fc.boolean() }),
      fc.record({
        ...{ kind: fc.constant('attribute' as const), part: tie('written') },
        name: fc.constantFrom('Title', 'Author', 'author-2', 'Full-Text', 'Missing'),
      }),
      fc.record({
        ...{ kind: fc.constant('group' as const), part: tie('written') },
        options: fc.record(
          { case: fc.constant(true), part: fc.constant(true), errors: fc.constantFrom<Mark>(0, 1, 'best') },
          { requiredKeys: [] },
        ) as fc.Arbitrary<ComparisonOptions>,
      }),
    ),
  };
});

const text = fc.array(word, { maxLength: 7 }).map((all) => all.join(' '));
const object = fc
  .record({
    Title: text,
    'Author-1': fc.constantFrom('Ada Lovelace', 'Grace Hopper', 'Éva', 'run'),
    'Author-2': text,
    'Full-Text': text,
    'File-Size': fc.constantFrom('5', '2047', '2048', '10000', '10001', '3000000', 'unknown'),
    'Update-Time': fc
      .constantFrom('2024-06-30', '2024-08-01', '2020-02-29', '2025-06-10')
      .map((day) => String(seconds(day))),
  })
  .map((fields) => summaryObject('http://example.org/', [...Object.entries(fields), ['Language', 'en']]));

const operators = [
  ...[
    'AND',
    'side by side',
    'OR',
    '-',
    'NOT',
    'attribute',
    '#case',
    '#part',
    '#errors',
    'NEAR',
    'NEAR/n',
    'all',
  ],
  ...[
    'word',
    'word ~0',
    'word ~1',
    'word ~2',
    'word ~best',
    'phrase',
    'phrase ~1',
    'sequence',
    'prefix',
    'regex',
  ],
  ...ranges.map(([, { text: one }]) => `range ${one === '2024' ? '=2024' : one}`),
];

test('a query with any operators has the meaning that the manual gives it', (context) => {
  const drawn = new Map<string, number>();
  let [found, asked] = [0, 0];
  fc.assert(
    fc.property(written, fc.array(object, { minLength: 1, maxLength: 4 }), (query, objects) => {
      for (const operator of operatorsOf(query)) drawn.set(operator, (drawn.get(operator) ?? 0) + 1);
      const line = textOf(query, 0);
      const parsed = parseQuery(line, { now });
      assert.deepEqual(parsed.notes, [], line);
      for (const one of objects) {
        const expected = holds(query, one, undefined, {});
        asked++;
        if (expected) found++;
        assert.equal(matches(one, parsed.query), expected, `${line}\n${JSON.stringify(parsed.query)}`);
      }
    }),
    { numRuns: Number(process.env.GARNER_TEST_RUNS ?? 1500) },
  );
  const missing = operators.filter((operator) => !drawn.has(operator));
  assert.deepEqual(missing, [], 'never drawn');
  assert.ok(found > asked / 10 && found < (9 * asked) / 10, `${found} of ${asked} match`);
  const min = Math.min(...operators.map((operator) => drawn.get(operator) ?? 0));
  context.diagnostic(`${operators.length} operators, each ${min} times or more; ${found} of ${asked} match`);
});
