import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { fetchErrors } from '../../../fetch/index.ts';
import { isGarnerError } from '../../../kernel/index.ts';
import type { SitemapEntry } from '../../../readers/feeds/index.ts';
import { readSitemap } from './sitemap.ts';

async function read(bytes: Uint8Array, pieces = 7) {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += pieces) yield bytes.subarray(at, at + pieces);
  }
  const entries: SitemapEntry[] = [];
  const reading = readSitemap(chunks(), 'http://h/sitemap.xml');
  let next = await reading.next();
  for (; !next.done; next = await reading.next()) entries.push(next.value);
  return { entries, isSitemap: next.value };
}

const encode = (text: string) => new TextEncoder().encode(text);

const example = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE x [<!ENTITY boom "boom">]>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i">
 <url><loc> http://h/ä?a=1&amp;b=2 </loc><lastmod>2024-02-03T04:05:06+00:00</lastmod>
  <image:image><image:loc>http://h/i.png</image:loc></image:image></url>
 <url><loc><![CDATA[http://h/2]]></loc><lastmod>soon</lastmod></url>
 <url><lastmod>2024</lastmod></url>
</urlset>`;

test('pages, dates, entities and CDATA, in any pieces, zipped or not', async () => {
  for (const pieces of [1, 2, 5, 10_000])
    for (const bytes of [encode(example), gzipSync(example)]) {
      const { entries, isSitemap } = await read(bytes, pieces);
      assert.equal(isSitemap, true);
      assert.deepEqual(entries, [
        { kind: 'page', url: 'http://h/ä?a=1&b=2', modified: Date.UTC(2024, 1, 3, 4, 5, 6) / 1000 },
        { kind: 'page', url: 'http://h/2' },
      ]);
    }
});

test('a sitemap in UTF-16 is read, with a byte order mark or without', async () => {
  for (const text of ['\ufeff', ''].map((mark) => mark + example)) {
    const { entries } = await read(Buffer.from(text, 'utf16le'), 64);
    assert.deepEqual(entries[1], { kind: 'page', url: 'http://h/2' });
  }
});

test('pages in other languages count, whatever the order, and an item without a link has its permanent one', async () => {
  const other = (language: string) =>
    `<xhtml:link rel="alternate" hreflang="${language}" href="http://h/${language}"/>`;
  const urls = `<url>${other('de')}<loc>http://h/en</loc>${other('fr')}${other('en')}</url>`;
  const { entries } = await read(
    encode(`<urlset>${urls}<url><loc>http://h/2</loc><loc>no</loc></url></urlset>`),
  );
  assert.deepEqual(
    entries.map(({ url }) => url),
    ['http://h/en', 'http://h/de', 'http://h/fr', 'http://h/2'],
  );
  const item = (fields: string) => `<item><title>x</title>${fields}</item>`;
  const guid = (text: string, more = '') => `<guid${more}>${text}</guid>`;
  const items =
    item(guid('http://h/3')) +
    item(`${guid('12345')}<link>http://h/4</link>`) +
    item(guid('http://h/no', ' isPermaLink="false"')) +
    item(guid('67890'));
  const feed = await read(encode(`<rss><channel>${items}</channel></rss>`));
  assert.deepEqual(
    feed.entries.map(({ url }) => url),
    ['http://h/3', 'http://h/4'],
  );
});

test('other content yields nothing and returns false', async () => {
  const none = { entries: [], isSitemap: false };
  assert.deepEqual(await read(encode('<html><url><loc>http://h/</loc></url></html>')), none);
  assert.deepEqual(await read(encode('')), none);
  assert.deepEqual(await read(encode('# Pages\nhttp://h/1')), none);
});

test('any bytes are handled, and no bomb fills the memory', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const starts = [new Uint8Array(), encode('<urlset><url><loc>')];
      for (const start of starts)
        await read(Buffer.concat([start, bytes])).catch((error: unknown) =>
          assert.ok(isGarnerError(error, fetchErrors.FETCH_INTERRUPTED)),
        );
    }),
  );
  const deep = gzipSync(Buffer.alloc(8 * 1024 * 1024, '<urlset>'));
  assert.equal((await read(deep, 10_000)).isSitemap, false);
  const bomb = gzipSync(Buffer.concat([encode('<urlset>'), Buffer.alloc(60 * 1024 * 1024, 32)]));
  await assert.rejects(read(bomb, 10_000), (error) => isGarnerError(error, fetchErrors.FETCH_TOO_LARGE));
  const long = `<urlset><url><loc>${'x'.repeat(100_000)}</loc></url></urlset>`;
  assert.ok(((await read(encode(long), 10_000)).entries[0]?.url.length ?? 0) < 10_000);
});
