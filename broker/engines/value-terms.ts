import { rangeValues } from '../../query/index.ts';
import { baseName, type SummaryObject } from '../../soif/index.ts';

// A value that is a number and a time at once (seconds since 1970) is filed once.
const kinds = { both: 'b', number: 'n', time: 't' } as const;
type Kind = (typeof kinds)[keyof typeof kinds];

/** The kinds of values that ranges of numbers and those of times look at. */
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

/** A number as text that sorts as numbers do: its bits, six to a character of ASCII, without zeros at its end. */
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

/** The term of a value. */
export const valueTerm = (attribute: string, kind: Kind, value: number): string =>
  attribute + separator + kind + orderedText(value);

const decoder = new TextDecoder();
// No number or time has more characters that are not blanks.
const mostCharacters = 64;

/** Whether a value is short, blanks aside: most are not, which their beginning tells. */
function mayBeValue(value: Uint8Array): boolean {
  let characters = 0;
  for (let at = 0; at < value.length && characters <= mostCharacters; at++) {
    const byte = value[at] as number;
    if (byte > 32 && byte < 127) characters++;
  }
  return characters <= mostCharacters;
}

/** The terms of an object's numbers and times, each once. */
export function valueTermsOf(object: SummaryObject): Set<string> {
  const found = new Set<string>();
  for (const { name, value } of object.attributes) {
    const attribute = baseName(name);
    if (!isFiled(attribute) || !mayBeValue(value)) continue;
    const { number, time } = rangeValues(decoder.decode(value));
    if (number !== undefined && number === time) {
      found.add(valueTerm(attribute, kinds.both, number));
      continue;
    }
    if (number !== undefined) found.add(valueTerm(attribute, kinds.number, number));
    if (time !== undefined) found.add(valueTerm(attribute, kinds.time, time));
  }
  return found;
}
