import { hasToken } from '../words/index.ts';
import type { Bound, RangeNode } from './tree.ts';

export const quotationMarks = /["“”„‟«»＂]/g;
const bare = /[^\s()"“”„‟«»＂]/;
const comparison = /(>=|<=|>|<|=)\s*/y;
const age = /^(\d{1,6})([hdwy])$/;
const secondsOfUnit: Readonly<Record<string, number>> = { h: 3600, d: 86_400, w: 604_800, y: 31_557_600 };

export interface FoundRange {
  readonly node: RangeNode;
  readonly end: number;
}

interface FoundValue {
  readonly value: string;
  readonly end: number;
}

/** Whether query text reads a bound back as the same bound without quotes. */
export function isPlainBound(value: string): boolean {
  return (
    value !== '' &&
    [...value].every((one) => bare.test(one)) &&
    !value.includes('..') &&
    !/^[<>=.]|\.$/.test(value)
  );
}

/** A value, quoted or up to a blank, a parenthesis, a quotation mark or two dots. */
function valueAt(text: string, at: number): FoundValue | undefined {
  if (text[at] !== undefined && text[at]?.search(quotationMarks) === 0) {
    const length = text.slice(at + 1).search(quotationMarks);
    if (length < 0) return undefined;
    const value = text.slice(at + 1, at + 1 + length).trim();
    return hasToken(value) ? { value, end: at + length + 2 } : undefined;
  }
  let end = at;
  while (end < text.length && bare.test(text[end] as string) && !text.startsWith('..', end)) end++;
  const value = text.slice(at, end);
  return isPlainBound(value) && hasToken(value) ? { value, end } : undefined;
}

const endsAt = (text: string, at: number) => at >= text.length || /[\s)]/.test(text[at] as string);

/**
 * The range or comparison that begins at `at`: `>10k`, `<= 5`, `=2024`, `a..b`, `a..`, `..b`; a bound with
 * blanks is quoted. An age (`30d`; h, d, w, y) is that long before `now`, in seconds since 1970, and is
 * smaller the later its time; without `now` there are no ages.
 */
export function rangeAt(text: string, at: number, now: number | undefined): FoundRange | undefined {
  comparison.lastIndex = at;
  const operator = comparison.exec(text)?.[1];
  if (operator !== undefined) {
    const found = valueAt(text, comparison.lastIndex);
    if (found === undefined || !endsAt(text, found.end)) return undefined;
    return { node: compared(operator, found.value, now), end: found.end };
  }
  const from = text.startsWith('..', at) ? undefined : valueAt(text, at);
  const dots = from?.end ?? at;
  if (!text.startsWith('..', dots) || (from === undefined && dots !== at)) return undefined;
  const to = endsAt(text, dots + 2) ? undefined : valueAt(text, dots + 2);
  const end = to?.end ?? dots + 2;
  if (!endsAt(text, end) || (from === undefined && to === undefined)) return undefined;
  const node: RangeNode = {
    kind: 'range',
    ...(from !== undefined && { from: { value: from.value } }),
    ...(to !== undefined && { to: { value: to.value } }),
  };
  return { node: withoutAges(node, now), end };
}

function compared(operator: string, value: string, now: number | undefined): RangeNode {
  if (operator === '=') return withoutAges({ kind: 'range', from: { value }, to: { value } }, now);
  const bound: Bound = operator.length === 2 ? { value } : { value, exclusive: true };
  return withoutAges({ kind: 'range', ...(operator.startsWith('>') ? { from: bound } : { to: bound }) }, now);
}

/** Ages become times when all bounds are ages: an older object has an earlier time. */
function withoutAges(node: RangeNode, now: number | undefined): RangeNode {
  const { from, to } = node;
  if (now === undefined) return node;
  const [older, younger] = [from && timeOfAge(from, now), to && timeOfAge(to, now)];
  if ((from !== undefined && older === undefined) || (to !== undefined && younger === undefined)) return node;
  return {
    kind: 'range',
    ...(younger !== undefined && { from: younger }),
    ...(older !== undefined && { to: older }),
  };
}

/** Whether a bound is an age, such as `30d`. */
export const isAge = (value: string) => age.test(value);

/** Whether a bound of the range is an age. */
export const hasAge = ({ from, to }: RangeNode) =>
  [from, to].some((bound) => bound !== undefined && isAge(bound.value));

/** The time of an age before `now`, in seconds since 1970; undefined for other text. */
export function timeOfAge({ value, exclusive }: Bound, now: number): Bound | undefined {
  const found = age.exec(value);
  if (found === null) return undefined;
  const time = Math.max(
    0,
    Math.floor(now) - Number(found[1]) * (secondsOfUnit[found[2] as string] as number),
  );
  const iso = new Date(time * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
  return { value: iso, ...(exclusive === true && { exclusive }) };
}
