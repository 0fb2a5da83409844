import { ifRangeHolds } from './conditional.ts';
import type { Fields } from './fields/fields.ts';
import { listMembers } from './fields/list-members.ts';
import type { StoredHead } from './stored-head.ts';

/** A range of bytes; both ends are included (RFC 9110 14.1.2). */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** A requested range: from a byte on, up to another, or the last bytes. */
export type RangeSpec =
  | { readonly first: number; readonly last: number | undefined }
  | { readonly suffix: number };

/** A request with more ranges gets the whole content. */
const maxRanges = 16;

/** The ranges of a Range field (RFC 9110 14.2). Undefined for another unit, bad grammar, or over 16. */
export function parseRange(value: string): readonly RangeSpec[] | undefined {
  const found = /^bytes=(.*)$/i.exec(value);
  if (found === null) return undefined;
  const members = listMembers(found[1] ?? '');
  if (members.length === 0 || members.length > maxRanges) return undefined;
  const specs: RangeSpec[] = [];
  for (const member of members) {
    const spec = rangeSpec(member);
    if (spec === undefined) return undefined;
    specs.push(spec);
  }
  return specs;
}

function rangeSpec(text: string): RangeSpec | undefined {
  const found = /^(\d*)-(\d*)$/.exec(text);
  if (found === null) return undefined;
  const [, from = '', to = ''] = found;
  if (from === '') return to === '' ? undefined : { suffix: position(to) };
  const first = position(from);
  if (to === '') return { first, last: undefined };
  const last = position(to);
  return last < first ? undefined : { first, last };
}

function position(digits: string): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}

/** The bytes of a range in a content of this length; undefined when it has none of them (RFC 9110 14.1.1). */
export function resolveRange(spec: RangeSpec, length: number): ByteRange | undefined {
  if ('suffix' in spec) {
    if (spec.suffix === 0 || length === 0) return undefined;
    return { first: Math.max(0, length - spec.suffix), last: length - 1 };
  }
  if (spec.first >= length) return undefined;
  return { first: spec.first, last: Math.min(spec.last ?? length - 1, length - 1) };
}

/** The part of a content that the client gets. */
export type RangeAnswer =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: ByteRange }
  | { readonly kind: 'parts'; readonly ranges: readonly ByteRange[] }
  | { readonly kind: 'unsatisfiable' }
  | { readonly kind: 'not-here' };

/**
 * How a stored content of `length` bytes, of which all or those of `part` are stored, answers a GET: whole
 * (200), a part (206), 416, or not at all because requested bytes are missing. Range applies when the stored
 * response is a 200 or 206 and If-Range holds (RFC 9110 14.2). Several ranges that coalesce to one are sent
 * as one part; otherwise, with `several`, as parts in the requested order, and without it as the whole.
 */
export function answerRange(
  requestFields: Fields,
  head: StoredHead,
  length: number,
  part?: ByteRange,
  several = false,
): RangeAnswer {
  const whole: RangeAnswer = isWhole(length, part) ? { kind: 'whole' } : { kind: 'not-here' };
  const wanted = requestFields.get('range');
  if (wanted === undefined || (head.status !== 200 && head.status !== 206)) return whole;
  const specs = parseRange(wanted);
  if (specs === undefined || !ifRangeHolds(requestFields, head)) return whole;
  // The last bytes of an empty content are none, which no Content-Range can express.
  if (length === 0 && specs.some((spec) => 'suffix' in spec && spec.suffix > 0)) return whole;
  const ranges = specs.map((spec) => resolveRange(spec, length)).filter((range) => range !== undefined);
  if (ranges.length === 0) return { kind: 'unsatisfiable' };
  const made = coalesced(ranges);
  const [range] = made;
  if (range === undefined || (made.length > 1 && !several)) return whole;
  if (!made.every(({ first, last }) => part === undefined || (part.first <= first && last <= part.last)))
    return { kind: 'not-here' };
  return made.length === 1
    ? { kind: 'part', range }
    : { kind: 'parts', ranges: inRequestedOrder(made, ranges) };
}

/** Ranges in the order in which they were first requested (RFC 9110 15.3.7.2). */
function inRequestedOrder(made: readonly ByteRange[], requested: readonly ByteRange[]): readonly ByteRange[] {
  const place = ({ first, last }: ByteRange) =>
    requested.findIndex((one) => first <= one.first && one.last <= last);
  return [...made].sort((one, other) => place(one) - place(other));
}

function isWhole(length: number, part: ByteRange | undefined): boolean {
  return part === undefined || (part.first === 0 && part.last === length - 1);
}

/** Ranges in ascending order; overlapping or adjacent ranges are merged. */
function coalesced(ranges: readonly ByteRange[]): readonly ByteRange[] {
  const ordered = [...ranges].sort((one, other) => one.first - other.first);
  const made: ByteRange[] = [];
  for (const range of ordered) {
    const before = made.at(-1);
    if (before === undefined || range.first > before.last + 1) made.push(range);
    else made[made.length - 1] = { first: before.first, last: Math.max(before.last, range.last) };
  }
  return made;
}
