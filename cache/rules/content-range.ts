import type { ByteRange } from './ranges.ts';

/** A Content-Range (RFC 9110 14.4): bytes of a content, its length undefined for '*'; or no range but the length. */
export type ContentRange =
  | { readonly range: ByteRange; readonly total: number | undefined }
  | { readonly range: undefined; readonly total: number };

const satisfied = /^bytes (\d{1,15})-(\d{1,15})\/(?:(\d{1,15})|\*)$/i;
const unsatisfied = /^bytes \*\/(\d{1,15})$/i;

/** Reads a Content-Range; undefined when it is against the grammar, ends before it begins or lies outside of its length. */
export function parseContentRange(value: string | undefined): ContentRange | undefined {
  if (value === undefined) return undefined;
  const none = unsatisfied.exec(value);
  if (none !== null) return { range: undefined, total: Number(none[1]) };
  const found = satisfied.exec(value);
  if (found === null) return undefined;
  const range = { first: Number(found[1]), last: Number(found[2]) };
  const total = found[3] === undefined ? undefined : Number(found[3]);
  if (range.last < range.first || (total !== undefined && range.last >= total)) return undefined;
  return { range, total };
}

/** The Content-Range of a 206, or, without a range, of a 416 (RFC 9110 15.5.17). */
export function contentRange(range: ByteRange | undefined, total: number): string {
  return range === undefined ? `bytes */${total}` : `bytes ${range.first}-${range.last}/${total}`;
}
