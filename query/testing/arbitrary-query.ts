import type { SummaryObject } from '../../soif/index.ts';
import type { ComparisonOptions } from '../syntax/comparison.ts';
import type { Comparison, NearOperand, PrefixNode, WordLeaf, WordNode } from '../syntax/tree.ts';
import { occurs, read } from './reference-reader.ts';

// Queries as people write them, each with a second definition of its meaning, taken from the manual and slow.

export type Mark = number | 'best' | undefined;
export type Run =
  | { readonly kind: 'word'; readonly word: string; readonly mark: Mark }
  | { readonly kind: 'phrase'; readonly words: readonly string[]; readonly mark: Mark }
  | { readonly kind: 'sequence'; readonly parts: readonly (Extract<Run, { kind: 'word' }> | Prefix)[] }
  | Prefix;
type Prefix = { readonly kind: 'prefix'; readonly prefix: string };
export type Side = Run | { readonly kind: 'either'; readonly runs: readonly [Run, Run] };
export type Test = { readonly text: string; readonly holds: (value: string, exact: boolean) => boolean };
export type Written =
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

export const now = 1_750_000_000;

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
export function textOf(written: Written, needed: number): string {
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

/** A run as a leaf of a tree, compared by the options around it. */
function leafOf(run: Run, options: ComparisonOptions): WordLeaf {
  const errors = (mark: Mark) => {
    const number = mark ?? options.errors;
    return number === undefined ? {} : { errors: number };
  };
  // Quoted words are compared as typed, unless otherwise.
  const typed = (mark: Mark) => {
    const isOther = options.case || options.part || (mark ?? options.errors) !== undefined;
    return isOther ? {} : ({ typed: true } as const);
  };
  switch (run.kind) {
    case 'prefix':
      return { kind: 'prefix', prefix: run.prefix, ...(options.case && { case: true as const }) };
    case 'sequence':
      return {
        kind: 'sequence',
        parts: run.parts.map((part) => ({
          ...(leafOf(part, options) as WordNode | PrefixNode),
          ...(part.kind === 'word' && typed(part.mark)),
        })),
      };
    case 'word':
      return { kind: 'word', word: run.word, ...flags(options), ...errors(run.mark) };
    case 'phrase':
      return {
        ...{ kind: 'phrase', words: run.words },
        ...{ ...flags(options), ...errors(run.mark), ...typed(run.mark) },
      };
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

export function holds(
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
        occurs({ kind: 'near', distance, operands }, read(value)),
      );
    }
    default: {
      const leaf = leafOf(written, options);
      return valuesOf(object, attribute).some((value) => occurs(leaf, read(value)));
    }
  }
}

/** The operators of a query. */
export function* operatorsOf(one: Written): Generator<string> {
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
