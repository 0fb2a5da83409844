import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPageHas, described, pageAttributesOf, pageUrl } from '../../testing/page-attributes.ts';

test('an article of a graph has its author, publisher, picture and page by reference', () => {
  const graph = [
    {
      '@type': 'Article',
      '@id': `${pageUrl}#article`,
      isPartOf: { '@id': pageUrl },
      author: { name: 'Ada Example', '@id': '#ada' },
      headline: 'Tides &amp; <b>Ports</b>',
      datePublished: '2024-02-03T10:00:00+00:00',
      publisher: { '@id': '#harbour' },
      image: { '@id': '#picture' },
      keywords: ['tide', 'port'],
      inLanguage: 'en-GB',
    },
    { '@type': 'WebPage', '@id': pageUrl, name: 'Tides - Harbour', description: 'Of the page' },
    { '@type': 'ImageObject', '@id': '#picture', url: '/page/i.jpg', contentUrl: '/i.jpg' },
    { '@type': 'WebSite', '@id': '#site', name: 'Harbour site' },
    { '@type': 'Organization', '@id': '#harbour', name: 'Harbour office' },
    { '@type': 'Person', '@id': '#ada', name: 'Ada Example' },
  ];
  assertPageHas(described({ '@context': 'https://schema.org', '@graph': graph }), {
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
  assertPageHas(
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
      sameAs: { '@id': 'https://doi.org/10.5555/tide.1' },
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
  assertPageHas(
    described({
      '@type': 'Book',
      name: 'Ropes',
      isbn: '978-1',
      publisher: 'Knot Press',
      datePublished: '1999',
    }),
    { Title: 'Ropes', ISBN: '978-1', Publisher: 'Knot Press', Date: '1999' },
  );
  assertPageHas(
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
  assertPageHas(
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
  assertPageHas(
    described({
      '@type': 'Product',
      name: 'Rope',
      brand: { name: 'Knot' },
      sku: 'R1',
      offers: { price: 9.5, priceCurrency: 'EUR' },
    }),
    { Title: 'Rope', Brand: 'Knot', SKU: 'R1', Price: '9.5 EUR' },
  );
  assertPageHas(
    described({ '@type': 'HowTo', name: 'Splice', step: [{ text: 'Unlay' }, { name: 'Tuck' }] }),
    {
      Title: 'Splice',
      Steps: 'Unlay\nTuck',
    },
  );
});

test('a person or organisation is the title of a page about it alone', () => {
  const ada = { '@type': 'Person', name: 'Ada Example', jobTitle: 'Pilot', description: 'Guides ships' };
  assertPageHas(described({ '@type': 'ProfilePage', mainEntity: ada }), {
    Title: 'Ada Example',
    'Job-Title': 'Pilot',
    Description: 'Guides ships',
    'Schema-Type': 'Person',
  });
  assertPageHas(described(ada, 'Ada Example – Harbour'), { Title: 'Ada Example', 'Schema-Type': 'Person' });
  assertPageHas(described(ada, 'Tide tables'), {
    Title: 'Tide tables',
    Author: 'Ada Example',
    'Job-Title': 'Pilot',
  });
  assertPageHas(
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
  assertPageHas(described(posts), { Title: 'Two', Author: 'Two' });
  assertPageHas(described([post('One', '/1'), post('Two', '/2')], 'Blog: Two'), { Title: 'Two' });
  const list = pageAttributesOf(described([post('One', '/1'), post('Two', '/2')], 'Blog'));
  assert.deepEqual([list.Title, list.Author], ['Blog', undefined]);
  assertPageHas(described([{ '@type': 'VideoObject', name: 'Film' }, post('One', '/1')]), { Title: 'One' });
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
    good.replaceAll('"', '&#34;'),
    good.replace('{', '{"image":undefined,"dateModified":,"position":NaN,'),
    good.replaceAll(/"(\w+)":/g, '$1:'),
    good.replace('{', '{"description":"an arrow --> here",'),
    good.replace('"Article"', '["Thing","http://schema.org/TechArticle"]'),
  ];
  for (const script of wrapped) {
    const { Title, Author } = pageAttributesOf(described(script));
    assert.deepEqual([Title, Author], ['Good tide', 'A. B.'], script);
  }
  const quoted = pageAttributesOf(described(good.replace('Good tide', 'The "Good" tide')));
  assert.deepEqual([quoted.Title, quoted.Author], ['The "Good" tide', 'A. B.']);
  assertPageHas(described('{broken').replace('<p>', `${described(good)}<p>`), { Title: 'Good tide' });
  assertPageHas(
    described('{"@id":"#ada","@type":"Person","name":"Ada"}').replace(
      '<p>',
      described({ '@type': 'Article', headline: 'H', author: { '@id': '#ada' } }),
    ),
    { Title: 'H', Author: 'Ada' },
  );
});

test('microdata: things within things, links with names, missing end tags', () => {
  assertPageHas(
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
  assertPageHas(
    `<div itemscope itemtype="http://schema.org/Recipe"><span itemprop="name">Soup</span> by <a itemprop="author"
     href="/bo">Bo</a><ol><li itemprop="recipeInstructions">Boil<li itemprop="recipeInstructions">Eat</ol>
     <time itemprop="datePublished">2023-01-02</time></div>`,
    { Title: 'Soup', Author: 'Bo', Steps: 'Boil\nEat', Date: '2023-01-02' },
  );
  assertPageHas(
    '<article><time itemprop="datePublished" datetime="2024-01-01">x</time><b itemprop="author">Ada</b>',
    {
      Author: 'Ada',
      Date: '2024-01-01',
    },
  );
});

test('RDFa Lite', () => {
  assertPageHas(
    `<title>T</title><div vocab="http://schema.org/" typeof="Article"><h1 property="headline">High water</h1><span
     property="author" typeof="Person"><span property="name">Ada</span></span><i property="datePublished"
     content="2020-01-02">Jan</i></div>`,
    { Title: 'High water', Author: 'Ada', Date: '2020-01-02', 'Schema-Type': 'Article' },
  );
  assertPageHas(
    `<div typeof="foaf:Document" about="/docs/page.html"><span property="dc:title" content="Old tides"></span><span
     property="dc:date dc:created" content="2012-03-04T05:06:07+02:00">x</span></div>`,
    { Title: 'Old tides', Date: '2012-03-04T05:06:07+02:00' },
  );
});

test('posts of a blog, questions, steps of sections, languages and specified prices', () => {
  assertPageHas(
    `<title>T</title><body itemscope itemtype="https://schema.org/Blog"><article itemprop="blogPost" itemscope
     itemtype="https://schema.org/BlogPosting"><h1 itemprop="headline">Tides</h1><b itemprop="author">Ada</b></article>`,
    { Title: 'Tides', Author: 'Ada' },
  );
  const question = { '@type': 'Question', name: 'How deep?', author: { name: 'Ada' } };
  assertPageHas(described({ '@type': 'QAPage', mainEntity: question }), {
    Title: 'How deep?',
    Author: 'Ada',
  });
  const step = (text: string) => ({ '@type': 'HowToStep', name: text.slice(0, 3), text });
  const sections = [
    { '@type': 'HowToSection', name: 'First', itemListElement: [step('Cut it.'), step('Cook it.')] },
  ];
  assertPageHas(
    described({
      ...{ '@type': 'Recipe', name: 'Soup', recipeInstructions: sections },
      inLanguage: { '@type': 'Language', name: 'German', alternateName: 'de' },
    }),
    { Steps: 'Cut it.\nCook it.', Language: 'de' },
  );
  const priceSpecification = { price: 9.5, priceCurrency: 'EUR' };
  assertPageHas(described({ '@type': 'Product', name: 'Rope', offers: { priceSpecification } }), {
    Price: '9.5 EUR',
  });
});
