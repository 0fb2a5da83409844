import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SummariseOptions } from '../../../readers/document/index.ts';
import { precedence } from '../../../readers/page-metadata/index.ts';
import { summaryOf } from '../../testing/summary-of.ts';
import { summariseHtml } from './html.ts';

const url = 'http://site.example/docs/page.html';

/** The attributes of a page. */
function attributesOf(
  html: string,
  text: SummariseOptions['text'] = 'full',
): Readonly<Record<string, string>> {
  const { attributes } = summaryOf(
    summariseHtml,
    { url, name: 'page.html', bytes: Buffer.from(html) },
    { text },
  );
  return Object.fromEntries(attributes);
}

/** A page with this JSON-LD. */
const described = (thing: unknown, title = 'T') =>
  `<title>${title}</title><script type="application/ld+json">${
    typeof thing === 'string' ? thing : JSON.stringify(thing)
  }</script><p>text`;

/** Those of the attributes that are expected. */
function assertHas(html: string, expected: Readonly<Record<string, string>>): void {
  const found = attributesOf(html);
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, found[name]])), expected);
}

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

for (const [attribute, { sources }] of Object.entries(precedence))
  test(`the sources of ${attribute} count in the order of the table`, () => {
    const value = values[attribute];
    assert.ok(value !== undefined);
    sources.forEach((_, first) => {
      const pieces = sources.slice(first).map(({ label }, at) => piece(label, value(first + at)));
      assert.equal(attributesOf(pieces.reverse().join(''))[attribute], value(first), sources[first]?.label);
    });
  });

test('an article of a graph has its author, publisher, picture and page by reference', () => {
  const graph = [
    {
      '@type': 'Article',
      '@id': `${url}#article`,
      isPartOf: { '@id': url },
      author: { name: 'Ada Example', '@id': '#ada' },
      headline: 'Tides &amp; <b>Ports</b>',
      datePublished: '2024-02-03T10:00:00+00:00',
      publisher: { '@id': '#harbour' },
      image: { '@id': '#picture' },
      keywords: ['tide', 'port'],
      inLanguage: 'en-GB',
    },
    { '@type': 'WebPage', '@id': url, name: 'Tides - Harbour', description: 'Of the page' },
    { '@type': 'ImageObject', '@id': '#picture', url: '/page/i.jpg', contentUrl: '/i.jpg' },
    { '@type': 'WebSite', '@id': '#site', name: 'Harbour site' },
    { '@type': 'Organization', '@id': '#harbour', name: 'Harbour office' },
    { '@type': 'Person', '@id': '#ada', name: 'Ada Example' },
  ];
  assertHas(described({ '@context': 'https://schema.org', '@graph': graph }), {
    Title: 'Tides & Ports',
    Author: 'Ada Example',
    Date: '2024-02-03T10:00:00+00:00',
    Description: 'Of the page',
    Keywords: 'tide, port',
    Language: 'en-GB',
    Publisher: 'Harbour office',
    Image: 'http://site.example/i.jpg',
    'Schema-Type': 'Article',
  });
});

test('kinds of things have attributes of their own', () => {
  assertHas(
    described({
      '@type': 'ScholarlyArticle',
      headline: 'On tides',
      author: [
        'A. One',
        { givenName: 'Bo', familyName: 'Two' },
        ...[3, 4, 5, 6].map((at) => ({ name: `N. ${at}` })),
      ],
      isPartOf: {
        '@type': 'PublicationIssue',
        issueNumber: 3,
        isPartOf: { '@type': 'Periodical', name: 'J. Tides' },
      },
      pagination: '1-3',
      sameAs: 'https://doi.org/10.5555/tide.1',
    }),
    {
      Title: 'On tides',
      'Author-1': 'A. One',
      'Author-2': 'Bo Two',
      'Author-6': 'N. 6',
      Publication: 'J. Tides',
      Number: '3',
      Pages: '1-3',
      DOI: '10.5555/tide.1',
    },
  );
  assertHas(
    described({
      '@type': 'Book',
      name: 'Ropes',
      isbn: '978-1',
      publisher: 'Knot Press',
      datePublished: '1999',
    }),
    { Title: 'Ropes', ISBN: '978-1', Publisher: 'Knot Press', Date: '1999' },
  );
  assertHas(
    described({
      '@type': 'Dataset',
      name: 'Levels',
      creator: { '@type': 'Organization', name: 'Harbour' },
      license: 'https://cc.example/by',
      temporalCoverage: '2000/2020',
      distribution: [{ '@type': 'DataDownload', contentUrl: '/levels.csv' }],
    }),
    {
      Title: 'Levels',
      Author: 'Harbour',
      License: 'https://cc.example/by',
      Coverage: '2000/2020',
      'URL-References': 'http://site.example/levels.csv',
    },
  );
  assertHas(
    described({
      '@type': 'MusicEvent',
      name: 'Shanties',
      startDate: '2024-07-01T20:00',
      endDate: '2024-07-01T23:00',
      location: { '@type': 'Place', address: { streetAddress: 'Quay 1', addressLocality: 'Port' } },
      organizer: { name: 'Crew' },
    }),
    {
      Title: 'Shanties',
      'Start-Date': '2024-07-01T20:00',
      'End-Date': '2024-07-01T23:00',
      Location: 'Quay 1, Port',
      Organizer: 'Crew',
    },
  );
  assertHas(
    described({
      '@type': 'Product',
      name: 'Rope',
      brand: { name: 'Knot' },
      sku: 'R1',
      offers: { price: 9.5, priceCurrency: 'EUR' },
    }),
    { Title: 'Rope', Brand: 'Knot', SKU: 'R1', Price: '9.5 EUR' },
  );
  assertHas(described({ '@type': 'HowTo', name: 'Splice', step: [{ text: 'Unlay' }, { name: 'Tuck' }] }), {
    Title: 'Splice',
    Steps: 'Unlay\nTuck',
  });
});

test('a person or organisation is the title of a page about it alone', () => {
  const ada = { '@type': 'Person', name: 'Ada Example', jobTitle: 'Pilot', description: 'Guides ships' };
  assertHas(described({ '@type': 'ProfilePage', mainEntity: ada }), {
    Title: 'Ada Example',
    'Job-Title': 'Pilot',
    Description: 'Guides ships',
    'Schema-Type': 'Person',
  });
  assertHas(described(ada, 'Ada Example – Harbour'), { Title: 'Ada Example', 'Schema-Type': 'Person' });
  assertHas(described(ada, 'Tide tables'), {
    Title: 'Tide tables',
    Author: 'Ada Example',
    'Job-Title': 'Pilot',
  });
  assertHas(
    described({ '@type': 'Organization', name: 'Harbour office', description: 'Runs it' }, 'Tide tables'),
    {
      Title: 'Tide tables',
      Publisher: 'Harbour office',
      Description: 'Runs it',
    },
  );
});

test('of several things the one with the page’s address or title is its subject; a list has none', () => {
  const post = (headline: string, path: string) => ({
    '@type': 'BlogPosting',
    headline,
    url: path,
    author: headline,
  });
  const posts = [post('One', '/1'), post('Two', '/docs/page.html')];
  assertHas(described(posts), { Title: 'Two', Author: 'Two' });
  assertHas(described([post('One', '/1'), post('Two', '/2')], 'Blog: Two'), { Title: 'Two' });
  const list = attributesOf(described([post('One', '/1'), post('Two', '/2')], 'Blog'));
  assert.deepEqual([list.Title, list.Author], ['Blog', undefined]);
  assertHas(described([{ '@type': 'VideoObject', name: 'Film' }, post('One', '/1')]), { Title: 'One' });
});

test('JSON-LD in wrappings and with faults', () => {
  const good = '{"@type":"Article","headline":"Good tide","author":"A. B."}';
  const wrapped = [
    `\n//<![CDATA[\n${good}\n//]]>\n`,
    `<![CDATA[${good}]]>`,
    `/*<![CDATA[*/${good}/*]]>*/`,
    `<!--\n${good}\n-->`,
    `\ufeff${good};`,
    good.replace('{', '{ /* a comment */ ').replace(',', ', // another\n'),
    good.replace('}', ',}'),
    good.replace('Good tide', 'Good\ntide'),
    good.replaceAll('"', '&quot;'),
    `{"@type":"WebSite","name":"Site"}${good}`,
    `[[${good}]]`,
    good.replace('"A. B."', '"A. B.","description":"cut he'),
    good.replace('"headline":"Good tide"', '"headline":{"@value":"Good tide","@language":"en"}'),
    good.replace('"A. B."', '{"@list":[{"name":"A. B."}]}'),
    good
      .replace('"@type":"Article"', '"type":"schema:Article"')
      .replace('headline', 'http://schema.org/headline'),
    good.replace('"Article"', '["Thing","http://schema.org/TechArticle"]'),
  ];
  for (const script of wrapped) {
    const { Title, Author } = attributesOf(described(script));
    assert.deepEqual([Title, Author], ['Good tide', 'A. B.'], script);
  }
  const quoted = attributesOf(described(good.replace('Good tide', 'The "Good" tide')));
  assert.deepEqual([quoted.Title, quoted.Author], ['The "Good" tide', 'A. B.']);
  assertHas(described('{broken').replace('<p>', `${described(good)}<p>`), { Title: 'Good tide' });
  assertHas(
    described('{"@id":"#ada","@type":"Person","name":"Ada"}').replace(
      '<p>',
      described({ '@type': 'Article', headline: 'H', author: { '@id': '#ada' } }),
    ),
    { Title: 'H', Author: 'Ada' },
  );
});

test('microdata: things within things, links with names, missing end tags', () => {
  assertHas(
    `<title>T</title><body itemscope itemtype="https://schema.org/WebPage"><article itemscope
     itemtype="http://schema.org/BlogPosting"><h1 itemprop="name headline">Small <b>tides</b></h1>
     <div><div itemprop="author" itemscope itemtype="http://schema.org/Person"><div>by</div><a itemprop="url" href="/a">
     <span itemprop="name">Ada Example</span></a></div></div><time itemprop="datePublished" datetime="2024-03-04">x</time>
     <meta itemprop="keywords" content="tide, port"><p itemprop="description">Of tides<div>not this</div>
     <img itemprop="image" src="/i.png"><span itemprop="publisher" itemscope><meta itemprop="name" content="Harbour">
     </span></article><div itemprop="name">Not the title</div>`,
    {
      Title: 'Small tides',
      Author: 'Ada Example',
      Date: '2024-03-04',
      Keywords: 'tide, port',
      Description: 'Of tides',
      Image: 'http://site.example/i.png',
      Publisher: 'Harbour',
      'Schema-Type': 'BlogPosting',
    },
  );
  assertHas(
    `<div itemscope itemtype="http://schema.org/Recipe"><span itemprop="name">Soup</span> by <a itemprop="author"
     href="/bo">Bo</a><ol><li itemprop="recipeInstructions">Boil<li itemprop="recipeInstructions">Eat</ol>
     <time itemprop="datePublished">2023-01-02</time></div>`,
    { Title: 'Soup', Author: 'Bo', Steps: 'Boil\nEat', Date: '2023-01-02' },
  );
  assertHas(
    '<article><time itemprop="datePublished" datetime="2024-01-01">x</time><b itemprop="author">Ada</b>',
    {
      Author: 'Ada',
      Date: '2024-01-01',
    },
  );
});

test('RDFa Lite', () => {
  assertHas(
    `<title>T</title><div vocab="http://schema.org/" typeof="Article"><h1 property="headline">High water</h1><span
     property="author" typeof="Person"><span property="name">Ada</span></span><i property="datePublished"
     content="2020-01-02">Jan</i></div>`,
    { Title: 'High water', Author: 'Ada', Date: '2020-01-02', 'Schema-Type': 'Article' },
  );
  assertHas(
    `<div typeof="foaf:Document" about="/docs/page.html"><span property="dc:title" content="Old tides"></span><span
     property="dc:date dc:created" content="2012-03-04T05:06:07+02:00">x</span></div>`,
    { Title: 'Old tides', Date: '2012-03-04T05:06:07+02:00' },
  );
});

test('bibliographic meta elements of journals and repositories', () => {
  assertHas(
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
  assertHas(
    `<meta name="eprints.title" content="Moon"><meta name="eprints.creators_name" content="One, A."><meta
     name="eprints.creators_name" content="Two, B."><meta name="bepress_citation_date" content="2001">`,
    { Title: 'Moon', 'Author-1': 'One, A.', 'Author-2': 'Two, B.', Date: '2001' },
  );
});

test('Open Graph: addresses are no names, locales are tags, the name of the site is no title', () => {
  assertHas(
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
  assertHas(
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
  assert.equal(attributesOf('<meta property="og:image" content="">').Image, undefined);
});

test('authors, dates and tags of links and time elements', () => {
  assertHas(
    `<h1>Tides</h1><a rel="nofollow author" href="/a"><span>Ada &amp; Co</span></a><a rel="tag" href="/t">sea</a><time
     datetime="2024-01-01">old</time><time class="entry-date published" datetime="2024-02-02T10:00:00+0100">x</time>
     <footer><time datetime="2000-01-01">c</time></footer>`,
    { Author: 'Ada & Co', Keywords: 'sea', Date: '2024-02-02T10:00:00+01:00' },
  );
  assertHas('<p>Of <time>2024-05-06</time>', { Date: '2024-05-06' });
  assert.equal(
    attributesOf('<time datetime="2024-01-01">a</time><time datetime="2024-01-02">b</time>').Date,
    undefined,
  );
});

test('canonical address, licence and other languages are recorded', () => {
  assertHas(
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
    <template shadowrootmode="open"><p>shadow</template><noscript>no</noscript><p>end`;
  assert.equal(attributesOf(hidden)['Full-Text'], 'a b\nfound\nshown\nshadow\nend');
  assert.equal(
    attributesOf('<div style="display:none"><p>all of it</p></div><script>no</script>')['Full-Text'],
    'all of it',
  );
  assert.equal(attributesOf('<noscript><p>without scripts</noscript>')['Full-Text'], 'without scripts');
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
      const found = attributesOf(page(ruby), text);
      assert.match(found['Full-Text'] ?? found['Partial-Text'] ?? '', /今日は季節の風/, `${text}: ${ruby}`);
    }
});

test('a title that a program wrote gives way to the first heading or line', () => {
  for (const title of ['Untitled Document', 'untitled', 'New Page 1', 'Document', 'index.html'])
    assert.equal(attributesOf(`<title>${title}</title><h2>Tide tables</h2>`).Title, 'Tide tables', title);
  assert.equal(attributesOf('<title>Untitled Document</title><p>Tide tables').Title, 'Tide tables');
  assert.equal(attributesOf('<title>Untitled</title>').Title, 'Untitled');
});

test('a page without title and heading is named by its first line, not by its navigation', () => {
  const title = (html: string, text?: SummariseOptions['text']) => attributesOf(html, text).Title;
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
