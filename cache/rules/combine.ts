import { strongLastModified } from './conditional.ts';
import { parseContentRange } from './fields/content-range.ts';
import { isWeakTag, strongMatch, usableTag } from './fields/entity-tag.ts';
import { Fields } from './fields/fields.ts';
import { type ByteRange, parseRange, resolveRange } from './ranges.ts';
import type { StoredHead } from './stored-head.ts';

/** A range of a content whose total length is known. */
export interface ContentPart extends ByteRange {
  readonly total: number;
}

/**
 * The bytes of a 206 (RFC 9110 15.3.7). Undefined when they are not to be stored: several parts, an unknown length, a
 * Content-Range that is invalid or contradicts Content-Length, or bytes outside the requested ranges.
 */
export function receivedPart(requestFields: Fields, responseFields: Fields): ContentPart | undefined {
  const lines = responseFields.lines('content-range');
  const parsed = lines.length === 1 ? parseContentRange(lines[0]) : undefined;
  if (parsed?.total === undefined) return undefined;
  const { first, last, total } = parsed;
  const declared = responseFields.get('content-length');
  if (declared !== undefined && declared !== String(last - first + 1)) return undefined;
  const requested = (parseRange(requestFields.get('range') ?? '') ?? [])
    .map((spec) => resolveRange(spec, total))
    .filter((range) => range !== undefined);
  // Several ranges may come as one with the bytes between them (RFC 9110 15.3.7.2).
  const within =
    requested.some((range) => range.first <= first) &&
    requested.some((range) => range.last >= last) &&
    requested.some((range) => range.first <= last && first <= range.last);
  return within ? { first, last, total } : undefined;
}

/**
 * Whether parts of two responses belong to one content (RFC 9110 15.3.7.3, RFC 9111 3.4): same length, same
 * strong validator, no contradicting validator, and the same coding.
 */
export function combinable(
  one: { readonly head: StoredHead; readonly total: number },
  other: { readonly head: StoredHead; readonly total: number },
): boolean {
  if (one.total !== other.total) return false;
  const [ours, theirs] = [new Fields(one.head.fields), new Fields(other.head.fields)];
  if (ours.get('content-encoding') !== theirs.get('content-encoding')) return false;
  const [tag, otherTag] = [ours.get('etag'), theirs.get('etag')];
  if (tag !== undefined || otherTag !== undefined) return strongMatch(tag, otherTag);
  const changed = strongLastModified(one.head);
  return changed !== undefined && changed === strongLastModified(other.head);
}

/** The range of both together; undefined when there is a gap between them. */
export function combinedRange(one: ByteRange, other: ByteRange): ByteRange | undefined {
  if (one.first > other.last + 1 || other.first > one.last + 1) return undefined;
  return { first: Math.min(one.first, other.first), last: Math.max(one.last, other.last) };
}

/** The one range to fetch so that `wanted` is stored besides `have`; undefined if nothing is missing. */
export function missingRange(have: ByteRange, wanted: ByteRange): ByteRange | undefined {
  if (have.first <= wanted.first && wanted.last <= have.last) return undefined;
  if (have.first <= wanted.first && have.last >= wanted.first) {
    return { first: have.last + 1, last: wanted.last };
  }
  if (have.last >= wanted.last && have.first <= wanted.last) {
    return { first: wanted.first, last: have.first - 1 };
  }
  return wanted;
}

/** The If-Range for the rest of a stored part (RFC 9110 13.1.5): its strong validator, if it has one. */
export function strongValidator(head: StoredHead): string | undefined {
  const tag = usableTag(new Fields(head.fields).get('etag'));
  // A server reads a value without quotes as a date.
  if (tag?.startsWith('"') === true && !isWeakTag(tag)) return tag;
  return tag === undefined ? strongLastModified(head) : undefined;
}
