import type { Bound, RangeNode } from '../syntax/index.ts';
import { instantOf, isTimeAttribute, type Span, timeSpanOf } from '../syntax/index.ts';

const plainNumber = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;
const quantity = /^([+-]?\d{1,15}(?:\.\d{1,15})?)([kKMGT]?)(i?)[bB]?$/;
const powers = ['', 'K', 'M', 'G', 'T'];

/** A stored value that is a plain number: `4711`, `-3.5`. */
export function numberOf(value: string): number | undefined {
  const text = value.trim();
  return plainNumber.test(text) ? Number(text) : undefined;
}

/** A number as queries write it, with a unit: `10k` is 10,000, `4Ki` and `4KiB` are 4,096; k, M, G, T; B for bytes. */
export function quantityOf(text: string): number | undefined {
  const found = quantity.exec(text);
  if (found === null) return undefined;
  const [, digits, unit, binary] = found;
  const power = powers.indexOf((unit as string).toUpperCase());
  if (power === 0 && binary === 'i') return undefined;
  return Number(digits) * (binary === 'i' ? 1024 : 1000) ** power;
}

/** How the bounds of a range are read. */
export type RangeReading = 'number' | 'time' | 'text';

/** Numbers, or seconds since 1970, from `low` to `high`; an end that is open is not among them. */
export interface ValueSpan {
  readonly low: number;
  readonly high: number;
  readonly lowOpen: boolean;
  readonly highOpen: boolean;
}

export interface ReadRange {
  readonly reading: RangeReading;
  /** Whether a stored value, as text, lies in the range. */
  readonly holds: (value: string) => boolean;
  /** Of numbers and times the same as a span. */
  readonly span?: ValueSpan;
}

/** A stored value as a number, and as a time, for ranges of either kind. */
export function rangeValues(value: string): {
  readonly number: number | undefined;
  readonly time: number | undefined;
} {
  return { number: numberOf(value), time: instantOf(value) };
}

const inSpan = (value: number | undefined, { low, high, lowOpen, highOpen }: ValueSpan) =>
  value !== undefined && (lowOpen ? value > low : value >= low) && (highOpen ? value < high : value <= high);

const diacritics = /\p{M}/gu;

/** Text as it is compared: without blanks around it, and, unless case matters, without case and accents. */
function foldText(text: string, caseMatters: boolean): string {
  const trimmed = text.trim();
  if (caseMatters) return trimmed.normalize('NFC');
  return trimmed.normalize('NFKD').replace(diacritics, '').toLowerCase();
}

/**
 * The values that a range selects. All its bounds are read the same way, the first of these that fits:
 * - times, when the attribute's name says that it holds times (`isTimeAttribute`) or one of the bounds can
 *   only be a time (`2024-06`). A bound is its whole span (`2024` is the year, `>2024` is later than the year).
 *   Values that are a time are compared (`instantOf`: seconds since 1970, an ISO date, an HTTP date);
 * - numbers, with units (`10k`, `4MiB`): values that are a plain number are compared;
 * - text: every value is compared character by character (UTF-16 units), without case and accents unless
 *   `case` is set, by its first `maxComparedText` units.
 */
export function readRange({ from, to, ...how }: RangeNode, attribute: string | undefined): ReadRange {
  const isTime = attribute !== undefined && isTimeAttribute(attribute);
  const bounds = [from, to].filter((bound) => bound !== undefined);
  const spans = bounds.map(({ value }) => timeSpanOf(value, isTime));
  if (spans.every((span) => span !== undefined) && (isTime || spans.some((span) => span?.isOnlyTime)))
    return { reading: 'time', ...held(timeSpan(from, to, isTime), instantOf) };
  if (bounds.every(({ value }) => quantityOf(value) !== undefined))
    return { reading: 'number', ...held(numberSpan(from, to), numberOf) };
  return { reading: 'text', holds: textTest(from, to, how.case === true) };
}

const held = (span: ValueSpan, read: (value: string) => number | undefined) => ({
  span,
  holds: (value: string) => inSpan(read(value), span),
});

function timeSpan(from: Bound | undefined, to: Bound | undefined, isTime: boolean): ValueSpan {
  const edge = (bound: Bound | undefined, pick: (span: Span) => number, otherwise: number) => {
    const span = bound === undefined ? undefined : timeSpanOf(bound.value, isTime);
    return span === undefined ? otherwise : pick(span);
  };
  return {
    low: edge(from, ({ start, end }) => (from?.exclusive === true ? end : start), Number.NEGATIVE_INFINITY),
    high: edge(to, ({ start, end }) => (to?.exclusive === true ? start : end), Number.POSITIVE_INFINITY),
    lowOpen: false,
    highOpen: true,
  };
}

const numberSpan = (from: Bound | undefined, to: Bound | undefined): ValueSpan => ({
  low: (from && quantityOf(from.value)) ?? Number.NEGATIVE_INFINITY,
  high: (to && quantityOf(to.value)) ?? Number.POSITIVE_INFINITY,
  lowOpen: from?.exclusive === true,
  highOpen: to?.exclusive === true,
});

/** Units of a stored text that are compared with a bound. */
export const maxComparedText = 4096;

function textTest(from: Bound | undefined, to: Bound | undefined, caseMatters: boolean) {
  const low = from && foldText(from.value, caseMatters);
  const high = to && foldText(to.value, caseMatters);
  return (value: string) =>
    isWithin(foldText(value.slice(0, maxComparedText), caseMatters), low, high, from, to);
}

function isWithin<Value extends string | number>(
  value: Value,
  low: Value | undefined,
  high: Value | undefined,
  from: Bound | undefined,
  to: Bound | undefined,
): boolean {
  if (low !== undefined && (value < low || (from?.exclusive === true && value === low))) return false;
  return high === undefined || value < high || (value === high && to?.exclusive !== true);
}
