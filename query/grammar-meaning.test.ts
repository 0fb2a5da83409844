import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type SummaryObject, summaryObject } from '../soif/index.ts';
import type { ComparisonOptions } from './comparison.ts';
import { matches } from './evaluator.ts';
import { parseQuery } from './parser.ts';
import { read, stands } from './plain-reading-fixture.test.ts';
import type { Comparison, NearOperand, PrefixNode, WordLeaf, WordNode } from './tree.ts';

// Queries as people write them, each with a second account of what it means, straight from the manual and slow.

type Mark = number | 'best' | undefined;
type Run =
  | { readonly kind: 'word'; readonly word: string; readonly mark: Mark }
  | { readonly kind: 'phrase'; readonly words: readonly string[]; readonly mark: Mark }
  | { readonly kind: 'sequence'; readonly parts: readonly (Extract<Run, { kind: 'word' }> | Prefix)[] }
  | Prefix;
type Prefix = { readonly kind: 'prefix'; readonly prefix: string };
type Side = Run | { readonly kind: 'either'; readonly runs: readonly [Run, Run] };
type Test = { readonly text: string; readonly holds: (value: string, exact: boolean) => boolean };
type Written =
  | Run
  | { readonly kind: 'all' }
  | { readonly kind: 'regex'; readonly pattern: string }
  | { readonly kind: 'near'; readonly distance: number | undefined; readonly sides: readonly [Side, Side] }
  | { readonly kind: 'and'; readonly parts: readonly Written[]; readonly said: boolean }
  | { readonly kind: 'or'; readonly parts: readonly Written[] }
  | { readonly kind: 'not'; readonly part: Written; readonly minus: boolean }
  | { readonly kind: 'attribute'; readonly name: string; readonly part: Written }
  | { readonly kind: 'range'; readonly name: string; readonly test: Test; readonly refused: boolean }
  | { readonly kind: 'group'; readonly part: Written; readonly options: ComparisonOptions };

const now = 1_750_000_000;

const markText = (mark: Mark) => (mark === undefined ? '' : mark === 1 ? '~' : `~${mark}`);

function runText(run: Run): string {
  switch (run.kind) {
    case 'word':
      return run.word + markText(run.mark);
    case 'phrase':
      return `"${run.words.join(' ')}"${markText(run.mark)}`;
    case 'prefix':
      return `${run.prefix}*`;
    case 'sequence':
      return `"${run.parts.map(runText).join(' ')}"`;
  }
}

const sideText = (side: Side) =>
  side.kind === 'either' ? `(${side.runs.map(runText).join(' OR ')})` : runText(side);

const optionsText = ({ case: exact, part, errors }: ComparisonOptions) =>
  [exact ? '#case' : '', part ? '#part' : '', errors === undefined ? '' : `#errors ${errors}`]
    .filter((text) => text !== '')
    .join(' ');

/** As text, in parentheses where it binds no tighter than needed: OR 0, AND 1, NEAR 2, NOT 3, Name: 4, the rest 5. */
function textOf(written: Written, needed: number): string {
  const within = (binding: number, text: string) => (binding < needed ? `(${text})` : text);
  switch (written.kind) {
    case 'all':
      return '*';
    case 'regex':
      return `/${written.pattern}/`;
    case 'near': {
      const operator = written.distance === undefined ? 'NEAR' : `NEAR/${written.distance}`;
      return within(2, written.sides.map(sideText).join(` ${operator} `));
    }
    case 'and': {
      const joint = written.said ? ' AND ' : ' ';
      return within(1, written.parts.map((part) => textOf(part, 2)).join(joint));
    }
    case 'or':
      return within(0, written.parts.map((part) => textOf(part, 1)).join(' OR '));
    case 'not': {
      const part = textOf(written.part, 3);
      if (!written.minus) return within(3, `NOT ${part}`);
      // Two of them would belong to the word.
      return within(3, part.startsWith('-') ? `-(${part})` : `-${part}`);
    }
    case 'attribute':
      return within(4, `${written.name}: ${textOf(written.part, 5)}`);
    case 'range':
      return within(
        4,
        `${written.name}: ${written.refused ? `(NOT ${written.test.text})` : written.test.text}`,
      );
    case 'group': {
      const text = textOf(written.part, 0);
      return `(${optionsText(written.options)} ${text})`;
    }
    default:
      return runText(written);
  }
}

const flags = ({ case: exact, part }: ComparisonOptions): Comparison => ({
  ...(exact && { case: true }),
  ...(part && { part: true }),
});

/** A run as a leaf of a tree, compared as the options around it say. */
function leafOf(run: Run, options: ComparisonOptions): WordLeaf {
  const errors = (mark: Mark) => {
    const number = mark ?? options.errors;
    return number === undefined ? {} : { errors: number };
  };
  switch (run.kind) {
    case 'prefix':
      return { kind: 'prefix', prefix: run.prefix, ...(options.case && { case: true as const }) };
    case 'sequence':
      return {
        kind: 'sequence',
        parts: run.parts.map((part) => leafOf(part, options) as WordNode | PrefixNode),
      };
    case 'word':
      return { kind: 'word', word: run.word, ...flags(options), ...errors(run.mark) };
    case 'phrase':
      return { kind: 'phrase', words: run.words, ...flags(options), ...errors(run.mark) };
  }
}

const sideOf = (side: Side, options: ComparisonOptions): NearOperand =>
  side.kind === 'either'
    ? { kind: 'or', operands: side.runs.map((run) => leafOf(run, options)) }
    : leafOf(side, options);

const bookkeeping = ['File-Size', 'Update-Time', 'Language', 'Type'];

function valuesOf(object: SummaryObject, attribute: string | undefined): string[] {
  const decoder = new TextDecoder();
  const own = object.attributes.filter(({ name }) =>
    attribute === undefined
      ? !bookkeeping.includes(name)
      : name.toLowerCase() === attribute.toLowerCase() ||
        name.toLowerCase().replace(/-\d+$/, '') === attribute.toLowerCase(),
  );
  return own.map(({ value }) => decoder.decode(value));
}

function holds(
  written: Written,
  object: SummaryObject,
  attribute: string | undefined,
  options: ComparisonOptions,
): boolean {
  const inner = (part: Written) => holds(part, object, attribute, options);
  switch (written.kind) {
    case 'all':
      return true;
    case 'and':
      return written.parts.every(inner);
    case 'or':
      return written.parts.some(inner);
    case 'not':
      return !inner(written.part);
    case 'attribute':
      return holds(written.part, object, written.name, options);
    case 'group':
      return holds(written.part, object, attribute, { ...options, ...written.options });
    case 'range':
      return (
        valuesOf(object, written.name).some((value) => written.test.holds(value, options.case === true)) !==
        written.refused
      );
    case 'regex': {
      const regex = new RegExp(written.pattern, options.case ? 'mu' : 'imu');
      return valuesOf(object, attribute).some((value) => regex.test(value));
    }
    case 'near': {
      const { distance = 10, sides } = written;
      const operands = [sideOf(sides[0], options), sideOf(sides[1], options)] as const;
      return valuesOf(object, attribute).some((value) =>
        stands({ kind: 'near', distance, operands }, read(value)),
      );
    }
    default: {
      const leaf = leafOf(written, options);
      return valuesOf(object, attribute).some((value) => stands(leaf, read(value)));
    }
  }
}

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
// A time alone is a word: in ranges it is written as what is equal to it.
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

/** The operators that a query is made of. */
function* operatorsOf(one: Written): Generator<string> {
  switch (one.kind) {
    case 'and':
    case 'or':
      yield one.kind === 'or' ? 'OR' : one.said ? 'AND' : 'side by side';
      for (const part of one.parts) yield* operatorsOf(part);
      return;
    case 'not':
      yield one.minus ? '-' : 'NOT';
      yield* operatorsOf(one.part);
      return;
    case 'attribute':
      yield 'attribute';
      yield* operatorsOf(one.part);
      return;
    case 'group':
      for (const option of Object.keys(one.options)) yield `#${option}`;
      yield* operatorsOf(one.part);
      return;
    case 'near':
      yield one.distance === undefined ? 'NEAR' : 'NEAR/n';
      for (const each of one.sides)
        for (const own of each.kind === 'either' ? each.runs : [each]) yield* operatorsOf(own);
      return;
    case 'range':
      yield `range ${one.test.text}`;
      return;
    case 'sequence':
      yield 'sequence';
      for (const part of one.parts) yield* operatorsOf(part);
      return;
    case 'word':
    case 'phrase':
      yield one.mark === undefined ? one.kind : `${one.kind} ~${one.mark}`;
      return;
    default:
      yield one.kind;
  }
}

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

test('what is written means what the manual says, whatever operators it is made of', (context) => {
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
    { numRuns: 4000 },
  );
  const missing = operators.filter((operator) => (drawn.get(operator) ?? 0) < 5);
  assert.deepEqual(missing, [], 'drawn less than five times');
  assert.ok(found > asked / 10 && found < (9 * asked) / 10, `${found} of ${asked} match`);
  const least = Math.min(...operators.map((operator) => drawn.get(operator) ?? 0));
  context.diagnostic(
    `${operators.length} operators, each ${least} times or more; ${found} of ${asked} match`,
  );
});
