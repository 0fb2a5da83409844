import type { ByteRange } from '../rules/index.ts';

/** A range of a content that is read from its beginning; the bytes after it are not read. */
export function skipTo(
  content: AsyncIterableIterator<Uint8Array>,
  range: ByteRange | undefined,
): AsyncIterable<Uint8Array> {
  return range === undefined ? content : sliced(content, range);
}

async function* sliced(
  content: AsyncIterableIterator<Uint8Array>,
  { first, last }: ByteRange,
): AsyncGenerator<Uint8Array, void, undefined> {
  let at = 0;
  for await (const piece of content) {
    const from = Math.max(first - at, 0);
    const to = Math.min(last + 1 - at, piece.length);
    at += piece.length;
    if (from < to) yield piece.subarray(from, to);
    if (at > last) return;
  }
}
