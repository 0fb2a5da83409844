import { rangeValues, type ValueSpan } from '../../../query/index.ts';
import { baseName, type SummaryObject } from '../../../soif/index.ts';

// A value that is a number and a time at once (seconds since 1970) is filed once.
const kinds = { both: 'b', number: 'n', time: 't' } as const;
type Kind = (typeof kinds)[keyof typeof kinds];

/** The kinds of values covered by ranges of numbers and of times. */
export const kindsOf = {
  number: [kinds.both, kinds.number],
  time: [kinds.both, kinds.time],
} as const;

const separator = '\0';
const filedName = /^[!-~]{1,64}$/;

/** Whether values of an attribute (its lower-case base name) are filed. */
export const isFiled = (attribute: string): boolean => filedName.test(attribute);

const view = new DataView(new ArrayBuffer(9));
const firstDigit = 48;
const bitsPerDigit = 6;
const digits = 11;

/** A number as text with the same order: its bits, six to a character, without trailing zeros. */
export function orderedText(value: number): string {
  // There are two zeros.
  view.setFloat64(0, value + 0);
  const isNegative = view.getUint8(0) > 127;
  for (let at = 0; at < 8; at++)
    view.setUint8(at, view.getUint8(at) ^ (isNegative ? 255 : at === 0 ? 128 : 0));
  let text = '';
  for (let digit = 0; digit < digits; digit++) {
    const bit = digit * bitsPerDigit;
    const pair = view.getUint8(bit >> 3) * 256 + view.getUint8((bit >> 3) + 1);
    text += String.fromCharCode(firstDigit + ((pair >> (16 - bitsPerDigit - (bit & 7))) & 63));
  }
  return text.replace(/0+$/, '');
}

export const valueTerm = (attribute: string, kind: Kind, value: number): string =>
  attribute + separator + kind + orderedText(value);

/** Values are also filed by this many digits of their texts: for times, half a year, three days, an hour. */
const bucketDigits = [3, 4, 5] as const;
const finest = 5;
const base = 2 ** bitsPerDigit;

const bucketTerm = (attribute: string, kind: Kind, depth: number, beginning: string): string =>
  attribute + separator + depth + kind + beginning;

/** Terms from one to another, inclusive. */
export type TermRange = readonly [from: string, to: string];

/**
 * Ranges of terms that have just the objects with a value from `low` to `high`, except open ends: values at
 * both ends, the largest buckets between, so that few lists are read for any width.
 */
export function rangesOver(attribute: string, kind: Kind, { low, high, lowOpen }: ValueSpan): TermRange[] {
  const exact = (from: string, to: string): TermRange => [
    attribute + separator + kind + from,
    attribute + separator + kind + to,
  ];
  const [lowText, highText] = [orderedText(low), orderedText(high)];
  let first = bucketNumber(lowText) + (lowOpen || lowText.length > finest ? 1 : 0);
  let last = bucketNumber(highText) - 1;
  if (first > last) return [exact(lowText, highText)];
  const found = [
    exact(lowText, bucketText(first, finest).replace(/0+$/, '')),
    exact(bucketText(last + 1, finest).replace(/0+$/, ''), highText),
  ];
  for (let depth: number = finest; ; depth--) {
    const within = (from: number, to: number) => {
      if (from <= to)
        found.push([
          bucketTerm(attribute, kind, depth, bucketText(from, depth)),
          bucketTerm(attribute, kind, depth, bucketText(to, depth)),
        ]);
    };
    const [next, end] = [Math.ceil(first / base), Math.floor((last + 1) / base)];
    if (depth === bucketDigits[0] || next >= end) {
      within(first, last);
      return found;
    }
    within(first, next * base - 1);
    within(end * base, last);
    [first, last] = [next, end - 1];
  }
}

/** The finest bucket of a text. */
function bucketNumber(text: string): number {
  let number = 0;
  for (let at = 0; at < finest; at++)
    number = number * base + (at < text.length ? text.charCodeAt(at) - firstDigit : 0);
  return number;
}

function bucketText(number: number, depth: number): string {
  let text = '';
  for (let rest = number, at = 0; at < depth; at++) {
    text = String.fromCharCode(firstDigit + (rest % base)) + text;
    rest = Math.floor(rest / base);
  }
  return text;
}

/** The term of a value, and those of its buckets. */
export function* termsIn(attribute: string, kind: Kind, value: number): Generator<string> {
  yield valueTerm(attribute, kind, value);
  const text = orderedText(value).padEnd(finest, '0');
  for (const depth of bucketDigits) yield bucketTerm(attribute, kind, depth, text.slice(0, depth));
}

const decoder = new TextDecoder();
// No number or time has more non-blank characters.
const maxCharacters = 64;

/** Whether a value is short, blanks aside. The beginning shows that most are not. */
function mayBeValue(value: Uint8Array): boolean {
  let characters = 0;
  for (let at = 0; at < value.length && characters <= maxCharacters; at++) {
    const byte = value[at] as number;
    if (byte > 32 && byte < 127) characters++;
  }
  return characters <= maxCharacters;
}

/** The terms of an object's numbers and times and of their buckets, each once. */
export function valueTermsOf(object: SummaryObject): Set<string> {
  const found = new Set<string>();
  for (const { name, value } of object.attributes) {
    const attribute = baseName(name);
    if (!isFiled(attribute) || !mayBeValue(value)) continue;
    const { number, time } = rangeValues(decoder.decode(value));
    const file = (kind: Kind, filed: number) => {
      for (const term of termsIn(attribute, kind, filed)) found.add(term);
    };
    if (number !== undefined && number === time) {
      file(kinds.both, number);
      continue;
    }
    if (number !== undefined) file(kinds.number, number);
    if (time !== undefined) file(kinds.time, time);
  }
  return found;
}
