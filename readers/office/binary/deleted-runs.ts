import type { ByteView } from '../../bytes/index.ts';

/** Bytes of the file, from the first to before the last. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

const pageBytes = 512;
const maxPages = 20_000;
const maxRanges = 100_000;
/** The property of text that a reviewer deleted (MS-DOC 2.6.1). */
const deletedMark = 0x0800;
/** Bytes of a property's value by the upper three bits of its number; six has its length before it. */
const valueBytes = [1, 1, 2, 4, 2, 2, 0, 3];

/** Where the text that is marked as deleted lies (MS-DOC 2.8.5), in order; none when the table is damaged. */
export function deletedRuns(view: ByteView, table: ByteView): readonly ByteRange[] {
  const ranges: ByteRange[] = [];
  try {
    const start = view.u32(0xfa);
    const count = Math.floor((view.u32(0xfe) - 4) / 8);
    for (let at = 0; at < Math.min(count, maxPages); at++) {
      const page = (table.u32(start + 4 * (count + 1) + 4 * at) & 0x3fffff) * pageBytes;
      const runs = view.u8(page + pageBytes - 1);
      for (let run = 0; run < runs && ranges.length < maxRanges; run++) {
        const properties = page + 2 * view.u8(page + 4 * (runs + 1) + run);
        if (properties > page && isDeleted(view, properties))
          ranges.push({ from: view.u32(page + 4 * run), to: view.u32(page + 4 * run + 4) });
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return apart(ranges.sort((a, b) => a.from - b.from));
}

/** Ranges that do not overlap. */
function apart(sorted: readonly ByteRange[]): ByteRange[] {
  const ranges: ByteRange[] = [];
  let end = 0;
  for (const { from, to } of sorted) {
    if (to > Math.max(from, end)) ranges.push({ from: Math.max(from, end), to });
    end = Math.max(end, to);
  }
  return ranges;
}

/** A text with a zero for each letter of `width` bytes in the ranges; it begins at byte `start`. */
export function withoutRuns(
  text: string,
  start: number,
  width: number,
  ranges: readonly ByteRange[],
): string {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.to ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  let shown = '';
  let at = 0;
  for (let range = ranges[low]; range !== undefined && at < text.length; range = ranges[++low]) {
    const first = Math.max(at, Math.floor((range.from - start) / width));
    if (first >= text.length) break;
    const last = Math.min(text.length, Math.max(first, Math.floor((range.to - start) / width)));
    shown += text.slice(at, first) + '\0'.repeat(last - first);
    at = last;
  }
  return shown + text.slice(at);
}

function isDeleted(view: ByteView, start: number): boolean {
  const end = start + 1 + view.u8(start);
  for (let at = start + 1; at + 2 < end; ) {
    const property = view.u16(at);
    const kind = property >> 13;
    if (property === deletedMark) return view.u8(at + 2) === 1;
    at += 2 + (kind === 6 ? 1 + view.u8(at + 2) : (valueBytes[kind] ?? 1));
  }
  return false;
}
