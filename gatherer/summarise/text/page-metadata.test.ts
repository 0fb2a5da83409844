import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SummariseOptions } from '../../../readers/document/index.ts';
import { precedence } from '../../../readers/page-metadata/index.ts';
import { assertPageHas, pageAttributesOf } from '../../testing/page-attributes.ts';

// A value of each attribute that is good and unlike the others.
const values: Readonly<Record<string, (at: number) => string>> = {
  Title: (at) => `Title number ${at}`,
  Author: (at) => `Author ${at}`,
  Date: (at) => `20${at + 10}-01-02`,
  Description: (at) => `Description ${at}`,
  Keywords: (at) => `keyword ${at}`,
  Language: (at) => ['de', 'fr', 'es', 'it', 'da', 'fi', 'nl', 'pt', 'pl'][at] ?? 'sv',
  Publisher: (at) => `Publisher ${at}`,
  Image: (at) => `http://site.example/${at}.png`,
};

/** A page's pieces with a value in one source, which a label of the table names. */
function piece(label: string, value: string): string {
  const [, name = ''] = /`(\w[^`]*)`/.exec(label) ?? [];
  const script = (type: string) =>
    `<script type="application/ld+json">${JSON.stringify({ '@type': type, [name]: value })}</script>`;
  if (label.startsWith('schema.org of the page')) return script('WebPage');
  if (label.startsWith('schema.org of the site')) return script('WebSite');
  if (label.startsWith('schema.org of the only person')) return script('Person');
  if (label.startsWith('schema.org')) return script('Article');
  const elements: Readonly<Record<string, string>> = {
    '`<title>`': `<title>${value}</title>`,
    'first heading': `<h1>${value}</h1>`,
    'first line': `<p>${value}</p>`,
    '`rel=author`': `<a rel="author" href="/a">${value}</a>`,
    '`rel=tag`': `<a rel="tag" href="/t">${value}</a>`,
    '`<time>`': `<time datetime="${value}">then</time>`,
    '`lang`': `<html lang="${value}">`,
    '`rel=image_src`': `<link rel="image_src" href="${value}">`,
  };
  return elements[label] ?? `<meta name="${name}" content="${value}">`;
}

// The first name of each source, or what it is.
const order: Readonly<Record<string, string>> = {
  Title:
    'citation_title, headline, og:title, <title>, dc.title, twitter:title, headline, first heading, first line',
  Author:
    'citation_author, author, article:author, author, dc.creator, author, rel=author, name, twitter:creator',
  Date: 'citation_publication_date, datePublished, article:published_time, date, dcterms.issued, datePublished, <time>, article:modified_time, dateModified',
  Description:
    'citation_abstract, description, og:description, description, dc.description, twitter:description, description',
  Keywords: 'citation_keywords, keywords, article:tag, keywords, dc.subject, keywords, rel=tag',
  Language: 'lang, citation_language, inLanguage, og:locale, content-language, dc.language, inLanguage',
  Publisher: 'citation_publisher, publisher, article:publisher, publisher, dc.publisher, publisher, name',
  Image: 'image, og:image, rel=image_src, thumbnail, twitter:image, primaryImageOfPage',
};

test('the sources of each attribute count in the order of the table', () => {
  const names = ({ label }: { readonly label: string }) => /`([^`]+)`/.exec(label)?.[1] ?? label;
  const named = Object.entries(precedence).map(([name, { sources }]) => [
    name,
    sources.map(names).join(', '),
  ]);
  assert.deepEqual(Object.fromEntries(named), order);
  for (const [attribute, { sources }] of Object.entries(precedence)) {
    const value = values[attribute];
    assert.ok(value !== undefined);
    sources.forEach(({ label }, first) => {
      const pieces = sources.slice(first).map((source, at) => piece(source.label, value(first + at)));
      const found = pageAttributesOf(pieces.reverse().join(''))[attribute];
      assert.equal(found, value(first), `${attribute}: ${label}`);
    });
  }
});

test('Dublin Core is read with each of its prefixes', () => {
  const page = (prefix: string) =>
    `<title>x</title><meta name="${prefix}creator" content="Ada Example"><meta name="${prefix}date" content="2019/3/2"><meta
     name="${prefix}description" content="Of tides"><meta name="${prefix}subject" content="tide; moon"><meta
     name="${prefix}language" content="de"><meta name="${prefix}publisher" content="Harbour Press">`;
  for (const prefix of ['DC.', 'dc.', 'DC:', 'dc:', 'dc_', 'DCTERMS.', 'dcterms:', 'dcterm:'])
    assertPageHas(page(prefix), {
      Author: 'Ada Example',
      Date: '2019-03-02',
      Description: 'Of tides',
      Keywords: 'tide, moon',
      Language: 'de',
      Publisher: 'Harbour Press',
    });
  assertPageHas('<meta name="DC.title" content="On tides"><p>x', { Title: 'On tides' });
});

test('bibliographic meta elements of journals and repositories', () => {
  assertPageHas(
    `<title>x</title><meta name="citation_title" content="On Tides"><meta name="citation_authors" content="Example, Cara; Muster,
     Dirk"><meta name="citation_date" content="2019/3"><meta name="citation_journal_title" content="J. Tides"><meta
     name="citation_volume" content="7"><meta name="citation_issue" content="2"><meta name="citation_firstpage" content="1"><meta
     name="citation_lastpage" content="9"><meta name="citation_doi" content="doi:10.1234/t.5"><meta name="citation_issn"
     content="1234-5678"><meta name="citation_pdf_url" content="/t.pdf"><meta name="citation_keywords" content="tide; moon"><meta
     name="citation_language" content="en"><meta name="citation_publisher" content="Harbour Press">`,
    {
      Title: 'On Tides',
      'Author-1': 'Example, Cara',
      'Author-2': 'Muster, Dirk',
      Date: '2019-03',
      Publication: 'J. Tides',
      Volume: '7',
      Number: '2',
      Pages: '1-9',
      DOI: '10.1234/t.5',
      ISSN: '1234-5678',
      Keywords: 'tide, moon',
      Language: 'en',
      Publisher: 'Harbour Press',
      'URL-References': 'http://site.example/t.pdf',
    },
  );
  assertPageHas(
    `<meta name="eprints.title" content="Moon"><meta name="eprints.creators_name" content="One, A."><meta
     name="eprints.creators_name" content="Two, B."><meta name="bepress_citation_date" content="2001">`,
    { Title: 'Moon', 'Author-1': 'One, A.', 'Author-2': 'Two, B.', Date: '2001' },
  );
});

test('Open Graph: addresses are no names, locales are tags, the name of the site is no title', () => {
  assertPageHas(
    `<title>Tides | Harbour</title><meta property="og:title" content="Harbour"><meta property="og:site_name" content="Harbour"><meta
     property="article:author" content="https://social.example/ada"><meta name="author" content="By Ada Example"><meta
     property="og:locale" content="de_AT"><meta property="og:image" content="../i.png"><meta name="description"
     property="og:description" content="Both"><meta property="article:tag" content="tide"><meta property="article:tag"
     content="port"><meta property="article:publisher" content="www.social.example/harbour">`,
    {
      Title: 'Tides | Harbour',
      Author: 'Ada Example',
      Language: 'de-AT',
      Image: 'http://site.example/i.png',
      Description: 'Both',
      Keywords: 'tide, port',
      Publisher: 'Harbour',
    },
  );
});

test('a source without a value gives way to the next', () => {
  assertPageHas(
    `<title>T</title><meta property="og:title" content="{{title}}"><meta property="og:image" content=""><meta
     property="og:description" content=" "><meta name="description" content="Of tides"><meta name="author"
     content="undefined"><meta name="dc.creator" content="Ada"><meta property="article:published_time"
     content="0000-00-00 00:00:00"><meta name="date" content="2024/5/6"><html lang="{{lang}}"><meta
     name="dc.language" content="English"><meta http-equiv="content-language" content="de, en"><meta name="keywords"
     content="tide,port,tide">`,
    {
      Title: 'T',
      Description: 'Of tides',
      Author: 'Ada',
      Date: '2024-05-06',
      Language: 'de',
      Keywords: 'tide, port',
    },
  );
  assert.equal(pageAttributesOf('<meta property="og:image" content="">').Image, undefined);
});

test('authors, dates and tags of links and time elements', () => {
  assertPageHas(
    `<h1>Tides</h1><a rel="nofollow author" href="/a"><span>Ada &amp; Co</span></a><a rel="tag" href="/t">sea</a><time
     datetime="2024-01-01">old</time><time class="entry-date published" datetime="2024-02-02T10:00:00+0100">x</time>
     <footer><time datetime="2000-01-01">c</time></footer>`,
    { Author: 'Ada & Co', Keywords: 'sea', Date: '2024-02-02T10:00:00+01:00' },
  );
  assertPageHas('<p>Of <time>2024-05-06</time>', { Date: '2024-05-06' });
  assert.equal(
    pageAttributesOf('<time datetime="2024-01-01">a</time><time datetime="2024-01-02">b</time>').Date,
    undefined,
  );
});

test('accounts of a site or of everyone are no authors; a handle of a person is the last name', () => {
  assertPageHas('<meta name="author" content="admin"><a rel="author" href="/a">Ada</a>', { Author: 'Ada' });
  const card = '<meta name="twitter:creator" content="@ada">';
  assertPageHas(card, { Author: '@ada' });
  assertPageHas(`${card}<a rel="author" href="/a">Ada</a>`, { Author: 'Ada' });
  assert.equal(pageAttributesOf(`${card}<meta name="twitter:site" content="@ada">`).Author, undefined);
});

test('canonical address, licence and other languages are recorded', () => {
  assertPageHas(
    `<title>T</title><base href="/b/"><link rel="canonical" href="real#top"><link rel="alternate" hreflang="de"
     href="/de/"><link rel="alternate" hreflang="x-default" href="/"><link rel="alternate" type="application/rss+xml"
     href="/feed"><p>under <a rel="license" href="https://cc.example/by">CC</a>`,
    {
      'Canonical-URL': 'http://site.example/b/real',
      Alternates: 'de http://site.example/de/\nx-default http://site.example/',
      License: 'https://cc.example/by',
    },
  );
});

test('hidden text is left out by attribute, style, dialog and icon, unless there is no other', () => {
  const hidden = `<p>a <i class="icons" aria-hidden="true">home</i>b <span style="color:red; display : none">no</span>
    <b style="visibility:hidden">no</b><img alt="no" aria-hidden="true" src="x"></p><div hidden>no</div>
    <div hidden="until-found">found</div><dialog>no</dialog><dialog open>shown</dialog><template>no</template>
    <template shadowrootmode="open"><p>shadow</template><noscript>no</noscript><table><tr style="display: none"><td>folded</table><p>end`;
  assert.equal(pageAttributesOf(hidden)['Full-Text'], 'a b\nfound\nshown\nshadow\nfolded\nend');
  assert.equal(
    pageAttributesOf('<div style="display:none"><p>all of it</p></div><script>no</script>')['Full-Text'],
    'all of it',
  );
  assert.equal(pageAttributesOf('<noscript><p>without scripts</noscript>')['Full-Text'], 'without scripts');
});

test('readings of ruby annotations are left out, with and without end tags, at every level of text', () => {
  const page = (ruby: string) =>
    `<title>T</title><p>今日は${ruby}の風が強く吹いています。明日も同じでしょう。</p>`;
  for (const ruby of [
    '<ruby>季<rt>き</rt>節<rt>せつ</rt></ruby>',
    '<ruby>季<rp>(</rp><rt>き</rt><rp>)</rp>節<rp>(</rp><rt>せつ</rt><rp>)</rp></ruby>',
    '<ruby>季<rt>き<rb>節<rt>せつ</ruby>',
    '<ruby><rb>季<rb>節<rtc><rt>き<rt>せつ</rtc></ruby>',
  ])
    for (const text of ['full', 'selected'] as const) {
      const found = pageAttributesOf(page(ruby), text);
      assert.match(found['Full-Text'] ?? found['Partial-Text'] ?? '', /今日は季節の風/, `${text}: ${ruby}`);
    }
});

test('a title that a program wrote gives way to the first heading or line', () => {
  for (const title of ['Untitled Document', 'untitled', 'New Page 1', 'Document', 'index.html'])
    assert.equal(pageAttributesOf(`<title>${title}</title><h2>Tide tables</h2>`).Title, 'Tide tables', title);
  assert.equal(pageAttributesOf('<title>Untitled Document</title><p>Tide tables').Title, 'Tide tables');
  assert.equal(pageAttributesOf('<title>Untitled</title>').Title, 'Untitled');
});

test('a page without title and heading is named by its first line, not by its navigation', () => {
  const title = (html: string, text?: SummariseOptions['text']) => pageAttributesOf(html, text).Title;
  assert.equal(title('<div>Tide tables<br>second</div>'), 'Tide tables');
  assert.equal(
    title('<nav>Home</nav><center><font size="5">Tide tables</font></center><p>x', 'selected'),
    'Tide tables',
  );
  assert.equal(title('<p hidden>no</p><p>Tide tables', 'none'), 'Tide tables');
  assert.equal(title('<nav>Home</nav>'), 'Home');
  assert.equal(title('<p>***</p><p>潮汐表'), '潮汐表');
  assert.equal(title(`<p>${'Some words that go on. '.repeat(40)}`), 'Some words that go on.');
});

test('a language without a value gives way, and a year counts as a date', () => {
  assertPageHas('<html lang=""><body lang="fr"><p>x', { Language: 'fr' });
  assertPageHas('<html lang="und"><meta name="language" content="sv"><p>x', { Language: 'sv' });
  assertPageHas('<title>x</title><meta name="citation_year" content="2020">', { Date: '2020' });
});
