import type { ComparisonOptions } from './comparison.ts';
import { maxErrors } from './tree.ts';

/** Options of a query; an absent field is not set. */
export interface QueryOptions extends ComparisonOptions {
  /** Matched lines shown for each object. */
  readonly lines?: number;
  /** Max objects in the answer. */
  readonly max?: number;
}

/** The largest numbers that are accepted; larger ones are lowered to them. */
export const optionBounds = { errors: maxErrors, lines: 100, max: 10_000 } as const;

/** Options in query text, whether they take a number, and whether that may be `best`. */
const named: ReadonlyMap<string, keyof QueryOptions> = new Map([
  ['#case', 'case'],
  ['#part', 'part'],
  ['#errors', 'errors'],
  ['#lines', 'lines'],
  ['#max', 'max'],
]);

/** An option in query text, and the number of words it takes: `#case`, `#errors 2`, `#errors best`. */
export interface ReadOption {
  readonly option: QueryOptions;
  readonly words: 1 | 2;
  /** The largest number that is accepted, when the given one is larger. */
  readonly lowered?: number;
}

/** Read an option from a word of query text and the word that follows it; undefined for an ordinary word. */
export function readOption(word: string, next: string | undefined): ReadOption | undefined {
  const name = named.get(word);
  if (name === undefined) return undefined;
  if (name === 'case' || name === 'part') return { option: { [name]: true }, words: 1 };
  if (name === 'errors' && next === 'best') return { option: { errors: next }, words: 2 };
  if (next === undefined || !/^\d{1,9}$/.test(next)) return undefined;
  const [number, bound] = [Number(next), optionBounds[name]];
  if (number <= bound) return { option: { [name]: number }, words: 2 };
  return { option: { [name]: bound }, words: 2, lowered: bound };
}

/** The options that concern a whole query, as query text: `#lines 3 #max 20`. */
export function printOptions({ lines, max }: QueryOptions): string {
  return [lines === undefined ? '' : `#lines ${lines}`, max === undefined ? '' : `#max ${max}`]
    .filter((text) => text !== '')
    .join(' ');
}
