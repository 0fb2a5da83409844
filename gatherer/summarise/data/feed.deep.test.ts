import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recognise } from '../../recognise/recognise.ts';
import { assertHolds, assertLinear, assertSurvives, summarised } from '../../testing/summarise-sample.ts';
import { summariseFeed } from './feed.ts';
import { summariseOpml } from './opml.ts';

const typeOf = (name: string, content: string, contentType?: string) =>
  recognise({
    url: `http://h/${name}`,
    name,
    bytes: Buffer.from(content),
    ...(contentType !== undefined && { contentType }),
  }).type;

const atom = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en" xml:base="http://h/blog/">
 <title type="html">Tides &amp;amp; &lt;b&gt;winds&lt;/b&gt;</title><subtitle>A &lt; B</subtitle>
 <link rel="hub" href="http://hub/"/><link rel="self" href="feed.atom"/><link href="/blog/"/>
 <author><name>Kim Example</name><email>kim@h</email><uri>http://h/kim</uri></author>
 <category term="sea"/><rights>© 2024 Kim</rights><generator uri="http://g/">Gen</generator>
 <updated>2024-02-15T10:30:00+01:00</updated>
 <entry><title>One</title><link href="1"/><id>1</id><updated>2024-02-01T00:00:00Z</updated>
  <author><name>Jo</name></author><category term="tide" label="Tide"/>
  <summary>Short</summary>
  <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Long <em>words</em> &amp; &lt;i&gt; more</p><p>Second <a href="2#x">link</a></p></div></content></entry>
 <entry><title>Text with &lt;tag&gt;</title><content type="html">&lt;p&gt;a&lt;/p&gt;&lt;script&gt;no()&lt;/script&gt;&lt;img src=x alt="picture"&gt;</content></entry>
</feed>`;

const rss = `<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/" xmlns:atom="http://www.w3.org/2005/Atom">
<channel><title>Port radio</title><link>http://h/</link><description><![CDATA[<p>All <b>about</b> the port</p>]]></description>
<language>de-DE</language><managingEditor>kim@h (Kim Example)</managingEditor><ttl>60</ttl>
<image><url>http://h/i.png</url><title>Not the title</title><link>http://h/no</link></image>
<skipHours><hour>1</hour><hour>24</hour></skipHours><skipDays><day>Sunday</day></skipDays>
<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency>
<atom:link rel="hub" href="http://hub/"/><atom:link rel="self" href="http://h/feed"/><category>Sea</category>
<item><title>First &amp; best</title><link>http://h/1</link><dc:creator>Jo</dc:creator><itunes:title>no</itunes:title>
<description>Short one</description><content:encoded><![CDATA[<h2>Long</h2><p>one with <a href="http://h/in">a link</a></p>]]></content:encoded>
<enclosure url="http://h/1.mp3" type="audio/mpeg"/><pubDate>Thu, 15 Feb 2024 10:30:00 GMT</pubDate><category>Tide</category></item>
</channel></rss>`;

test('feeds give facts, authors, dates, texts without markup and all addresses', async () => {
  assertHolds(await summarised(summariseFeed, atom, 'x'), {
    Title: 'Tides & winds',
    Description: 'A < B',
    Author: 'Kim Example',
    Keywords: 'sea, tide',
    Date: '2024-02-15T09:30:00Z',
    Copyright: '© 2024 Kim',
    Software: 'Gen',
    Format: 'Atom 1.0',
    Entries: '2',
    Hub: 'http://hub/',
    Headings: 'One\nText with <tag>',
    'Full-Text': 'One\nLong words & <i> more Second link\nText with <tag>\na picture',
  });
  assertHolds(await summarised(summariseFeed, rss, 'x'), {
    Title: 'Port radio',
    Description: 'All about the port',
    Author: 'Kim Example',
    Keywords: 'Sea, Tide',
    Date: '2024-02-15T10:30:00Z',
    Language: 'de-DE',
    Format: 'RSS 2.0',
    Hub: 'http://hub/',
    'Home-Page': 'http://h/',
    'Full-Text': 'First & best\nLong one with a link',
  });
  const json = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'J',
    home_page_url: 'http://h/',
    language: 'fr',
    authors: [{ name: 'Kim' }],
    hubs: [{ type: 'WebSub', url: 'http://hub/' }],
    items: [
      { id: '1', url: 'http://h/1', title: 'One', content_html: '<p>a <b>b</b></p>', tags: ['t'] },
      { id: '2', content_text: 'plain < text', date_published: '2024-02-15T10:30:00Z' },
    ],
  });
  assertHolds(await summarised(summariseFeed, json, 'x'), {
    Title: 'J',
    Author: 'Kim',
    Keywords: 't',
    Language: 'fr',
    Date: '2024-02-15T10:30:00Z',
    Format: 'JSON Feed 1.1',
    Entries: '2',
    Hub: 'http://hub/',
    'Full-Text': 'One\na b\nplain < text',
  });
});

test('feeds and outlines are recognised under any name and header', () => {
  const jsonFeed = '{"version": "https:\\/\\/jsonfeed.org\\/version\\/1", "items": []}';
  const rdf =
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel/></rdf:RDF>';
  const netscape =
    '<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd"><rss version="0.91"/>';
  for (const content of [atom, rss, jsonFeed, rdf, netscape, `\ufeff \n<!-- a -->${rss}`])
    for (const [name, header] of [
      ['feed.xml', undefined],
      ['feed', 'text/html'],
      ['feed.rdf', 'application/xml'],
      ['index.json', 'application/json'],
      ['feed.txt', undefined],
      ['feed.rss', undefined],
      ['feed', undefined],
    ] as const) {
      assert.equal(typeOf(name, content, header), 'Feed', `${name} ${content.slice(0, 20)}`);
    }
  assert.equal(typeOf('a.rdf', '<rdf:RDF xmlns:rdf="r"><foaf:Person/></rdf:RDF>'), 'XML');
  assert.equal(typeOf('a.xml', '<feed><entry/></feed>'), 'XML');
  assert.equal(typeOf('a.json', '{"version": "1", "items": []}'), 'JSON');
  assert.equal(typeOf('a.xml', '<?xml version="1.0"?><opml version="2.0"/>'), 'OPML');
});

test('a file with the name of a feed that is other XML or JSON is read as that', async () => {
  const xml = await summarised(summariseFeed, '<book><title>T</title><author>A</author></book>', 'x.rss');
  assertHolds(xml, { Title: 'T', Author: 'A', 'Root-Element': 'book' });
  assertHolds(await summarised(summariseFeed, '{"title": "T"}', 'x.rss'), { Title: 'T', Format: 'JSON' });
});

test('outlines give their lines, feeds and addresses', async () => {
  const opml = `<?xml version="1.0"?><opml version="2.0"><head><title>My &amp; feeds</title><dateModified>Thu, 15 Feb 2024 10:30:00 GMT</dateModified>
   <ownerName>Kim</ownerName></head><body><outline text="Sea"><outline text="Tides &amp;amp; &lt;b&gt;more&lt;/b&gt;" type="rss" xmlUrl="http://h/feed" htmlUrl="http://h/" category="/a/tide,sea" description="All"/></outline></body></opml>`;
  assertHolds(await summarised(summariseOpml, opml, 'x.opml'), {
    Title: 'My & feeds',
    Author: 'Kim',
    Date: '2024-02-15T10:30:00Z',
    Keywords: 'tide, sea',
    Format: 'OPML 2.0',
    Entries: '2',
    Feeds: '1',
    Headings: 'Sea',
    'Full-Text': 'Sea\nTides & more\nAll',
  });
});

test('damaged feeds and outlines give what they hold, and large ones take linear time', async () => {
  await assertSurvives(summariseFeed, [Buffer.from(atom), Buffer.from(rss)], 'x.rss');
  await assertSurvives(
    summariseOpml,
    [Buffer.from('<opml><body><outline text="a"/></body></opml>')],
    'x.opml',
  );
  const item = '<item><title>a</title><description>&lt;p&gt;b&lt;/p&gt;</description></item>';
  const parts = [
    item,
    '<item>',
    '<description><p>',
    '<description>&lt;',
    '<title>',
    '<category>a</category>',
    '<a>',
  ];
  await assertLinear(summariseFeed, parts, 'x.rss', '<rss><channel>');
  await assertLinear(
    summariseFeed,
    ['<entry><content type="xhtml"><p>', '<link href="a"/>'],
    'x.rss',
    '<feed>',
  );
  await assertLinear(
    summariseOpml,
    ['<outline text="&lt;b&gt;">', '<outline text="a"/>'],
    'x.opml',
    '<opml>',
  );
});

test('texts of films and talks, an entry of its own, and the language and rights of Atom', async () => {
  const film = `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="fr"><title>F</title><rights type="html">&amp;copy; Nous</rights><entry><title>One</title>
<media:group><media:title>Other</media:title><media:description>How to &lt;row&gt;</media:description></media:group></entry></feed>`;
  assertHolds(await summarised(summariseFeed, film, 'x'), {
    Language: 'fr',
    Copyright: '© Nous',
    'Full-Text': 'One\nHow to <row>',
  });
  const talk =
    '<rss><channel><title>T</title><item><title>One</title><itunes:summary>&lt;p&gt;On &lt;b&gt;coral&lt;/b&gt;&lt;/p&gt;</itunes:summary></item></channel></rss>';
  assertHolds(await summarised(summariseFeed, talk, 'x'), { 'Full-Text': 'One\nOn coral' });
  const entry =
    '<entry xmlns="http://www.w3.org/2005/Atom"><title>Alone</title><author><name>Al</name></author><content type="html">&lt;p&gt;Body&lt;/p&gt;</content></entry>';
  assertHolds(await summarised(summariseFeed, entry, 'a.atom'), {
    Title: 'Alone',
    Author: 'Al',
    Format: 'Atom',
    'Full-Text': 'Alone\nBody',
  });
});

test('a feed has its type under the name of the program that wrote it, and as a single entry', () => {
  assert.equal(typeOf('rss.php', rss), 'Feed');
  assert.equal(typeOf('feed.php', '{"version":"https://jsonfeed.org/version/1","items":[]}'), 'Feed');
  assert.equal(typeOf('a.xml', '<entry xmlns="http://www.w3.org/2005/Atom"/>'), 'Feed');
});
