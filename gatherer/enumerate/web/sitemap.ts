import { decodeBody, fetchErrors } from '../../../fetch/index.ts';
import { failure } from '../../../kernel/index.ts';
import { type SitemapEntry, SitemapReader } from '../../../readers/feeds/index.ts';
import { byteOrder } from '../../../readers/text/index.ts';

/** Max bytes of a sitemap, uncompressed (50 MB at sitemaps.org). */
export const sitemapMaxBytes = 50 * 1024 * 1024;

async function* startingWith(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** The content, unzipped if it is a gzip file that the server did not declare as an encoding. */
async function* unzipped(chunks: AsyncIterable<Uint8Array>, url: string): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    let start: Uint8Array = new Uint8Array();
    // The two bytes of the gzip mark may arrive in separate chunks.
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      start = start.length > 0 ? Buffer.concat([start, next.value]) : next.value;
      if (start.length > 1) break;
    }
    const zipped = start[0] === 0x1f && start[1] === 0x8b;
    const whole = startingWith(start, iterator);
    yield* decodeBody(whole, zipped ? 'gzip' : undefined, { url, maxBytes: sitemapMaxBytes });
  } finally {
    await iterator.return?.();
  }
}

/**
 * Read a stream that holds a sitemap or sitemap index (sitemaps.org 0.9: XML, RSS, Atom or text), plain or gzipped.
 * Yields its entries in order; other content has none. Returns whether it was a sitemap. Throws FETCH_TOO_LARGE for
 * too many bytes, and FETCH_INTERRUPTED when the end of the sitemap is missing.
 */
export async function* readSitemap(
  chunks: AsyncIterable<Uint8Array>,
  url: string,
): AsyncGenerator<SitemapEntry, boolean> {
  const reader = new SitemapReader();
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of unzipped(chunks, url)) {
    decoder ??= new TextDecoder(byteOrder(chunk) ?? 'utf-8');
    yield* reader.write(decoder.decode(chunk, { stream: true }));
    if (reader.tooDeep) return false;
  }
  yield* reader.write(decoder?.decode() ?? '');
  yield* reader.end();
  if (reader.isSitemap && !reader.isWhole)
    throw failure(fetchErrors.FETCH_INTERRUPTED, { url, why: 'it ends in the middle' });
  return reader.isSitemap;
}
