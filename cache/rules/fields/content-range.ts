import type { ByteRange } from '../ranges.ts';

/** The bytes that a Content-Range names (RFC 9110 14.4); the length of the whole is undefined for '*'. */
export interface ContentRange extends ByteRange {
  readonly total: number | undefined;
}

const satisfied = /^bytes (\d{1,15})-(\d{1,15})\/(?:(\d{1,15})|\*)$/i;

/** Parses the Content-Range of a 206; undefined when it violates the grammar or its bytes lie outside the length. */
export function parseContentRange(value: string | undefined): ContentRange | undefined {
  if (value === undefined) return undefined;
  const found = satisfied.exec(value);
  if (found === null) return undefined;
  const first = Number(found[1]);
  const last = Number(found[2]);
  const total = found[3] === undefined ? undefined : Number(found[3]);
  if (last < first || (total !== undefined && last >= total)) return undefined;
  return { first, last, total };
}

/** The Content-Range of a 206, or, without a range, of a 416 (RFC 9110 15.5.17). */
export function printContentRange(range: ByteRange | undefined, total: number): string {
  return range === undefined ? `bytes */${total}` : `bytes ${range.first}-${range.last}/${total}`;
}
