import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { feedDate } from './feed.ts';
import { readFeed } from './feed-reader.ts';

const read = (text: string) => readFeed(Buffer.from(text));
const seconds = (text: string) => Date.parse(text) / 1000;

test('Atom: the example of RFC 4287, alternate links only, xml:base, next page', () => {
  const feed = read(`<?xml version="1.0" encoding="utf-8"?>
   <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://example.org/blog/">
     <title type="text">dive into mark</title><updated>2005-07-31T12:29:29Z</updated>
     <link rel="self" href="feed.atom"/><link rel="next" href="feed2.atom"/>
     <entry><title>Atom draft-07 snapshot</title>
       <link rel="alternate" type="text/html" href="2005/04/02/atom"/>
       <link rel="enclosure" type="audio/mpeg" length="1337" href="http://example.org/audio/ph34r_my_podcast.mp3"/>
       <id>tag:example.org,2003:3.2397</id>
       <updated>2005-07-31T12:29:29Z</updated><published>2003-12-13T08:29:29-04:00</published>
       <source><link href="http://elsewhere.org/"/><updated>1999-01-01T00:00:00Z</updated></source>
       <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><link href="no"/></div></content>
     </entry>
     <entry><id>x</id><published>2003-12-13T08:29:29-04:00</published></entry></feed>`);
  assert.deepEqual(feed?.entries, [
    { link: 'http://example.org/blog/2005/04/02/atom', modified: seconds('2005-07-31T12:29:29Z') },
  ]);
  assert.equal(feed?.next, 'http://example.org/blog/feed2.atom');
});

test('RSS 2.0, RSS 1.0 and JSON Feed', () => {
  const rss =
    read(`<rss version="2.0"><channel><link>http://h/</link><item><link> http://h/1?a=1&amp;b=2 </link>
    <pubDate>Sat, 07 Sep 2002 09:42:31 GMT</pubDate></item>
    <item><guid isPermaLink="true">http://h/2</guid></item><item><guid isPermaLink="false">http://h/3</guid></item>
    <item><guid>x</guid><link><![CDATA[http://h/4]]></link><pubDate>nonsense</pubDate></item></channel></rss>`);
  assert.deepEqual(rss?.entries, [
    ...[
      { link: 'http://h/1?a=1&b=2', modified: seconds('2002-09-07T09:42:31Z') },
      { link: 'http://h/2' },
      { link: 'http://h/4' },
    ],
  ]);
  const rdf =
    read(`<rdf:RDF xmlns:rdf="x" xmlns="http://purl.org/rss/1.0/" xmlns:dc="y"><channel><link>http://h/</link></channel>
    <item rdf:about="http://h/1"><link>http://h/1</link><dc:date>2003-12-13T18:30:02Z</dc:date></item></rdf:RDF>`);
  assert.deepEqual(rdf?.entries, [{ link: 'http://h/1', modified: seconds('2003-12-13T18:30:02Z') }]);
  const json = read(
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      next_url: 'http://h/next',
      items: [
        { url: 'http://h/1', date_published: '2020-01-01T00:00:00Z', date_modified: '2021-01-01T00:00:00Z' },
        { id: 'x' },
        null,
      ],
    }),
  );
  assert.deepEqual(json?.entries, [{ link: 'http://h/1', modified: seconds('2021-01-01T00:00:00Z') }]);
  assert.equal(json?.next, 'http://h/next');
});

test('hubs and own address of feeds', () => {
  const rss = read(`<rss><channel xmlns:a="http://www.w3.org/2005/Atom">
    <a:link rel="hub" href="http://hub/1"/><a:link rel="hub" href="http://hub/2"/><a:link rel="self" href="http://h/f"/></channel></rss>`);
  assert.deepEqual(rss?.facts.hubs, ['http://hub/1', 'http://hub/2']);
  assert.equal(rss?.facts.self, 'http://h/f');
  const json = read(
    '{"version":"https://jsonfeed.org/version/1.1","feed_url":"http://h/f","hubs":[{"url":"http://hub/"},1],"items":[]}',
  );
  assert.deepEqual([json?.facts.hubs, json?.facts.self], [['http://hub/'], 'http://h/f']);
});

test('other content is no feed, and a broken feed gives the entries that could be read', () => {
  for (const text of [
    '',
    '<html><body><item><link>http://h/</link></item></body></html>',
    '{"items":[]}',
    'text',
    '{',
  ])
    assert.equal(read(text), undefined, text);
  assert.equal(read('<rss><item><link>http://h/1</link></item><item><link>http://h/2')?.entries.length, 2);
  assert.equal(read(`<rss>${'<a>'.repeat(4000)}<item><link>http://h/1</link></item>`)?.entries.length, 1);
  assert.equal(
    readFeed(
      Buffer.from(
        '<?xml version="1.0" encoding="iso-8859-1"?><rss><item><link>http://h/\xe4</link></item></rss>',
        'latin1',
      ),
    )?.entries[0]?.link,
    'http://h/ä',
  );
});

test('dates of feeds without a zone or with an unknown one are in UTC', () => {
  for (const [written, meant] of [
    ['Thu, 15 Feb 24 10:00:00 CET', '2024-02-15T10:00:00Z'],
    ['Thu, 15 Feb 2024 10:00:00', '2024-02-15T10:00:00Z'],
    ['2024-02-15T10:00:00', '2024-02-15T10:00:00Z'],
    ['2024-02-15', '2024-02-15T00:00:00Z'],
    ['2024-02', '2024-02-01T00:00:00Z'],
    ['2024', '2024-01-01T00:00:00Z'],
    ['Thu, 15 Feb 2024 10:00:00 EST', '2024-02-15T15:00:00Z'],
    ['2024-02-15T10:00:00+0100', '2024-02-15T09:00:00Z'],
  ] as const)
    assert.equal(feedDate(written), seconds(meant), written);
  assert.equal(feedDate('today CET'), undefined);
});

test('mutated feeds never crash', () => {
  const whole =
    '<feed><entry><link href="http://h/1"/><updated>2005-07-31T12:29:29Z</updated></entry></feed>';
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(whole.length), fc.string({ maxLength: 5 })), { maxLength: 5 }),
      (edits) => {
        const text = edits.reduce((so, [at, put]) => so.slice(0, at) + put + so.slice(at + 1), whole);
        const feed = read(text);
        assert.ok(feed === undefined || feed.entries.length <= 1 + edits.length);
      },
    ),
  );
  fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => void readFeed(bytes)));
});
