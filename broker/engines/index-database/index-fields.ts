import { isSearchedByBareWords, urlAttribute } from '../../../query/index.ts';
import { baseName, type SummaryObject } from '../../../soif/index.ts';

/** The field that bare words search: every value included by the policy of `query`. */
export const allField = 0;
/** Titles, which bare words search once more for a better rank. */
export const titleField = 1;

/** The field for numbers and times of attributes, as terms without positions. */
export const valuesField = 200;

/** The field for whole titles and headings, each as one term without positions. */
export const titlesField = 201;

/** Whether the positions of the term with this key are stored. */
export const hasPlaces = (key: Uint8Array): boolean => key[0] !== valuesField && key[0] !== titlesField;

/** Attributes with postings, by field number. Others are searched by reading candidates. */
export const fieldNames = [
  'all',
  'title',
  'author',
  'keywords',
  'description',
  'headings',
  'language',
  'type',
  urlAttribute,
  'abstract',
] as const;

const numbers = new Map<string, number>(fieldNames.map((name, number) => [name, number]));
numbers.delete('all');

/** The field of an attribute, by its lower-case name, or undefined when it has none. */
export const fieldOf = (attribute: string): number | undefined => numbers.get(attribute);

/** Fields that together have every word. Bare words search all other fields too. */
export const wholeFields: readonly number[] = [
  allField,
  ...fieldNames.flatMap((name, number) =>
    number === allField || isSearchedByBareWords(name) ? [] : [number],
  ),
];

const encoder = new TextEncoder();

/** Each value of an object, UTF-8, with the fields in which it is indexed. */
export function* fieldValues(
  object: SummaryObject,
): Generator<readonly [value: Uint8Array, fields: readonly number[]]> {
  for (const { name, value } of object.attributes) {
    const field = fieldOf(baseName(name));
    const fields = isSearchedByBareWords(name) ? [allField] : [];
    if (field !== undefined) fields.push(field);
    if (fields.length > 0 && value.length > 0) yield [value, fields];
  }
  if (object.url !== '-') yield [encoder.encode(object.url), [fieldOf(urlAttribute) as number]];
}

const pieceLength = 32 * 1024;
const blank = 32;

/** A long text in pieces, cut at blanks only, where no token can be cut. One without blanks stays whole. */
export function* pieces(text: Uint8Array): Generator<readonly [from: number, to: number]> {
  let from = 0;
  while (text.length - from > pieceLength) {
    const to = text.indexOf(blank, from + pieceLength);
    if (to < 0) break;
    yield [from, to];
    from = to;
  }
  yield [from, text.length];
}
