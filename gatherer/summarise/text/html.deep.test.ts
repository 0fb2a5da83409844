import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertCpuMs } from '../../../kernel/testing/cpu-time.ts';
import type { DocumentInput, SummariseOptions } from '../../../readers/document/index.ts';
import { pageAttributesOf } from '../../testing/page-attributes.ts';
import { summaryOf } from '../../testing/summary-of.ts';
import { summariseHtml } from './html.ts';

function page(
  html: string | Uint8Array,
  extra: Partial<DocumentInput> = {},
  options: Partial<SummariseOptions> = {},
) {
  const bytes = typeof html === 'string' ? Buffer.from(html) : html;
  const summary = summaryOf(
    summariseHtml,
    { url: 'http://site.example/docs/page.html', name: 'page.html', bytes, ...extra },
    options,
  );
  const values = new Map(summary.attributes);
  return { ...summary, values, text: values.get('Full-Text') ?? values.get('Partial-Text') };
}

const textOf = (html: string, options: Partial<SummariseOptions> = {}) => page(html, {}, options).text;

test('the fields of an ordinary page', () => {
  const { values, links, index, follow, canonical } = page(
    `<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title> Of
     Bees &amp; Honey </title>
     <meta name="Description" content="How  bees
     live"><meta name=keywords content='bees, honey'><meta name="author" content="A. Keeper">
     <meta name="DC.Title" content="Bees"><meta name="dcterms.issued" content="1996">
     <meta name="DC.creator" content="One"><meta name="DC.creator" content="Two">
     <link rel="canonical" href="/bees#top"><link rel=stylesheet href=style.css>
     <link rel="next" href="wax.html"></head>
     <body><h1>Bees</h1><p>They <a href="../fly.html#wings">fly</a>, <a href="http://other.example/">elsewhere</a>
     too.<h2>Their <em>honey</em></h2><p>Is sweet. <a href="mailto:keeper@site.example">Ask</a>
     <a href="javascript:alert(1)">no</a><a href="#top">up</a></body></html>`,
    { lastModified: 823_000_000.7 },
  );
  assert.deepEqual(
    [...values].filter(([name]) => name !== 'MD5' && name !== 'File-Size'),
    [
      ['Title', 'Of Bees & Honey'],
      ['Author', 'A. Keeper'],
      ['Date', '1996'],
      ['Description', 'How bees live'],
      ['Keywords', 'bees, honey'],
      ['Language', 'en-GB'],
      ['Canonical-URL', 'http://site.example/bees'],
      ['Headings', 'Bees\nTheir honey'],
      ['DC-Title', 'Bees'],
      ['DCTERMS-Issued', '1996'],
      ['DC-Creator-1', 'One'],
      ['DC-Creator-2', 'Two'],
      ['Type', 'HTML'],
      ['Last-Modification-Time', '823000000'],
      [
        'URL-References',
        'http://site.example/docs/wax.html\nhttp://site.example/fly.html\nhttp://other.example/\nmailto:keeper@site.example',
      ],
      ['Full-Text', 'Bees\nThey fly, elsewhere too.\nTheir honey\nIs sweet. Ask noup'],
    ],
  );
  assert.match(values.get('MD5') ?? '', /^[0-9a-f]{32}$/);
  assert.deepEqual(links, [
    'http://site.example/docs/wax.html',
    'http://site.example/fly.html',
    'http://other.example/',
  ]);
  assert.deepEqual(
    { index, follow, canonical },
    { index: true, follow: true, canonical: 'http://site.example/bees' },
  );
});

test('the title falls back to the first heading, then to the file name', () => {
  assert.equal(page('<h2>Second</h2><h1>First</h1>').values.get('Title'), 'Second');
  assert.equal(
    page('<title> </title><header><h1>In the header</h1></header>').values.get('Title'),
    'In the header',
  );
  assert.equal(page('<p>x', { name: 'my%20page.html' }).values.get('Title'), 'my page.html');
  assert.equal(page('<p>x', { name: '', url: 'http://site.example/' }).values.get('Title'), 'site.example');
  assert.equal(page('<title>One</title><title>Two</title>text').values.get('Title'), 'One');
  assert.equal(textOf('<title>One</title><title>Two</title>text'), 'text');
});

test('a page that begins with a NAME section is named by the line behind the heading', () => {
  const page = '<title></title><h1>NAME</h1><p>tide - print tide tables</p><h1>SYNOPSIS</h1><p>tide [-a]</p>';
  assert.equal(pageAttributesOf(page).Title, 'tide - print tide tables');
});

test('blocks break lines, inline elements do not split words', () => {
  assert.equal(textOf('<p>un<b>believ</b>able<p>next'), 'unbelievable\nnext');
  assert.equal(textOf('one<br>two<br><br>three'), 'one\ntwo\nthree');
  assert.equal(textOf('<table><tr><td>a<td>b<tr><td>c</td><td>d</table>'), 'a b\nc d');
  assert.equal(textOf('<ul><li>a<li>b</ul>c'), 'a\nb\nc');
  assert.equal(textOf('<dl><dt>term<dd>meaning</dl>'), 'term\nmeaning');
  assert.equal(textOf('a\n   b\t\tc&nbsp;&nbsp;d'), 'a b c d');
  assert.equal(
    textOf('<pre>def f():\n    return  1\n\n  # end</pre>after'),
    'def f():\nreturn 1\n# end\nafter',
  );
  assert.equal(textOf('co&shy;operate Zei\u00adle long<wbr>word'), 'cooperate Zeile longword');
  assert.equal(textOf('<button>Yes</button><button>No</button>'), 'Yes No');
});

test('entities are decoded once, and bad ones do no harm', () => {
  assert.equal(
    textOf('<p>&lt;b&gt; &amp;lt; &eacute;&#233;&#xe9; &copy &nosuch; &#0; &#xD800; &#x110000;'),
    '<b> &lt; ééé © &nosuch; \ufffd \ufffd \ufffd',
  );
});

test('invisible parts are left out, pictures are read by their text', () => {
  assert.equal(
    textOf(`<script>var a = "</p>script"</script><style>p{}</style><template>template<a href=t.html>t</a></template>
      <noscript>enable scripts</noscript><svg><title>drawing</title><text>svg</text></svg><textarea>typed</textarea>
      <select><option>choice</select><p hidden>hidden<p>seen <span hidden>not <span>this</span> either</span>here`),
    'seen here',
  );
  assert.equal(
    textOf('<p>a<img src=x alt="Bee &amp; flower">b<img alt=""><img hidden alt=no>'),
    'a Bee & flower b',
  );
  assert.equal(textOf('<div hidden><div>x</div><p>y</div>z'), 'z');
  assert.equal(textOf('<!-- c --><p>a<!-- > -->b<![CDATA[c]]>'), 'ab');
});

test('links hidden from readers, of drawings and of embedded documents count, links in templates do not', () => {
  const { links } =
    page(`<div hidden><a href=menu.html>m</a></div><noscript><a href=plain.html>p</a></noscript>
    <template><a href=inert.html>t</a></template><svg><a href=drawn.html>s</a><a xlink:href=old.html>x</a></svg>
    <object data=object.pdf>no</object><embed src=embedded.pdf>
    <frame src=frame.html><iframe src=inner.html></iframe><map><area href=area.html></map>
    <meta http-equiv=refresh content="5; URL='moved.html'">`);
  assert.deepEqual(links.map((url) => url.slice('http://site.example/docs/'.length)).sort(), [
    'area.html',
    'drawn.html',
    'embedded.pdf',
    'frame.html',
    'inner.html',
    'menu.html',
    'moved.html',
    'object.pdf',
    'old.html',
    'plain.html',
  ]);
});

test('base, nofollow, repeated and unusable links', () => {
  const { links, values } = page(`<base href="/b/"><base href="/c/"><a href="x.html?q=1&amp;r=2">x</a>
    <a href="x.html?q=1&amp;r=2#part">x</a><a rel="external NoFollow" href=n.html>n</a><a rel=nofollow href=y.html>y</a>
    <a href=y.html>y</a><a href="http://[bad">bad</a><a href="ftp://site.example/f">f</a>
    <a href="http://me:secret@site.example/p">p</a><a href="DATA:text/plain,x">d</a><a href="">e</a><a name=z>z</a>`);
  const at = (path: string) => `http://site.example${path}`;
  assert.deepEqual(links, [at('/b/x.html?q=1&r=2'), at('/b/y.html'), at('/p')]);
  assert.deepEqual(values.get('URL-References')?.split('\n'), [
    at('/b/x.html?q=1&r=2'),
    at('/b/n.html'),
    at('/b/y.html'),
    'ftp://site.example/f',
    at('/p'),
  ]);
});

test('robots directives of the page and of the header', () => {
  const robots = (html: string, header?: string) => {
    const { index, follow, links } = page(
      `${html}<a href=x>x</a>`,
      header === undefined ? {} : { robots: header },
    );
    return [index, follow, links.length];
  };
  assert.deepEqual(robots(''), [true, true, 1]);
  assert.deepEqual(robots('<meta name=robots content="index, follow">'), [true, true, 1]);
  assert.deepEqual(robots('<META NAME=Robots CONTENT=NoIndex>'), [false, true, 1]);
  assert.deepEqual(robots('<meta name=robots content="noarchive,nofollow">'), [true, false, 0]);
  assert.deepEqual(robots('<meta name=garner content=none>'), [false, false, 0]);
  assert.deepEqual(robots('<meta name=otherbot content=none>'), [true, true, 1]);
  assert.deepEqual(robots('', 'noindex'), [false, true, 1]);
  assert.deepEqual(robots('', 'otherbot: noindex, nofollow'), [true, true, 1]);
  assert.deepEqual(robots('', 'otherbot: noindex, garner: nofollow'), [true, false, 0]);
  assert.deepEqual(robots('', 'unavailable_after: 25 Jun 2010 15:00:00 PST, noindex'), [false, true, 1]);
});

test('headings lose their permanent-link signs, and so does the text', () => {
  const { values } =
    page(`<h1><a href="#m">json</a> — JSON<a class="headerlink" href="#m" title="t">¶</a></h1>
    <h2>Plain<a href="#p">&#182;</a></h2><h3>Two<br>lines</h3><nav><h3>Menu</h3></nav><h2> </h2>
    <dt>dump()<a class="headerlink" href="#d">Link</a></dt><p>see <a href="#x">#</a> and C# and §`);
  assert.equal(values.get('Headings'), 'json — JSON\nPlain\nTwo lines');
  assert.equal(values.get('Full-Text'), 'json — JSON\nPlain\nTwo\nlines\nMenu\ndump()\nsee and C# and §');
});

test('selected text is made from the main text: its headings and sentences, no boilerplate', () => {
  const opening = Array.from({ length: 30 }, (_, at) => `<p>Line ${at} is whole.`).join('');
  const { values, text } = page(
    `<nav>Menu</nav>${opening}<h2>Later</h2><p>First, e.g. this. Second one.
     <div role=navigation>Trail</div>`,
    {},
    { text: 'selected' },
  );
  assert.ok(text?.startsWith('Line 0 is whole.\n'), text?.slice(0, 80));
  assert.ok(text?.includes('\nFirst, e.g. this.'), text?.slice(-80));
  assert.equal(values.get('Headings'), 'Later');
  assert.ok(![...values.values()].some((value) => /Menu|Trail/.test(value)));
  assert.equal(
    page('<nav>Only a menu</nav>', {}, { text: 'selected' }).values.get('Partial-Text'),
    'Only a menu',
  );
  assert.equal(textOf('<nav>Menu</nav><p>Words'), 'Menu\nWords');
  assert.equal(textOf('<h1>A</h1><p>Words', { text: 'none' }), undefined);
  assert.equal(page('<h1>A</h1><p>Words', {}, { text: 'none' }).values.get('Headings'), 'A');
});

test('charset: byte order mark, header, meta, XML declaration, then UTF-8 if valid, else windows-1252', () => {
  const latin = (html: string) => Buffer.from(html, 'latin1');
  const title = (bytes: Uint8Array, contentType?: string) =>
    page(bytes, contentType === undefined ? {} : { contentType }).values.get('Title');
  assert.equal(title(Buffer.from('<title>Zoë')), 'Zoë');
  assert.equal(title(latin('<title>Zo\xeb \x80')), 'Zoë €');
  assert.equal(title(latin('<meta charset=iso-8859-2><title>\xb9')), 'š');
  assert.equal(
    title(
      latin(
        '<!-- <meta charset=utf-8> --><meta http-equiv=x content="text/html; charset=koi8-r"><title>\xc1',
      ),
    ),
    'а',
  );
  assert.equal(title(latin('<?xml version="1.0" encoding="iso-8859-2"?><title>\xb9')), 'š');
  assert.equal(title(latin('<meta charset=utf-8><title>\xb9'), 'text/html; charset=iso-8859-2'), 'š');
  assert.equal(
    title(Buffer.from('\ufeff<meta charset=koi8-r><title>Zoë'), 'text/html; charset=koi8-r'),
    'Zoë',
  );
  assert.equal(title(Buffer.from('\ufeff<title>Zoë', 'utf16le')), 'Zoë');
  assert.equal(title(Buffer.from('<title>Zoe', 'utf16le')), 'Zoe');
  assert.equal(title(Buffer.from('<meta charset=utf-16><title>Zoë')), 'Zoë');
  assert.equal(title(Buffer.from('<meta charset=no-such><title>Zoë'), 'text/html; charset=neither'), 'Zoë');
});

test('XHTML served as such closes its empty elements', () => {
  const xhtml =
    '<html><head><script src="a"/><title>T</title></head><body><div hidden=""/><p>Seen</p></body></html>';
  assert.equal(page(xhtml, { contentType: 'application/xhtml+xml' }).text, 'Seen');
  assert.equal(page(xhtml, { contentType: 'application/xhtml+xml' }).values.get('Title'), 'T');
});

test('text is cut at its limit, at a character, with a note', () => {
  const { values, text } = page(`<p>${'é'.repeat(100)}<p>more<a href=x.html>x</a>`, {}, { maxTextBytes: 51 });
  assert.equal(text, 'é'.repeat(25));
  assert.equal(values.get('Summary-Note'), 'Text was cut at 51 bytes.');
  assert.equal(values.get('URL-References'), 'http://site.example/docs/x.html');
  assert.equal(page('<p>ab<p>cd', {}, { maxTextBytes: 5 }).values.has('Summary-Note'), false);
  const long = page(`<p>seen${' '.repeat(100)}<p>unread`, {}, { maxDocumentBytes: 50 });
  assert.equal(long.text, 'seen');
  assert.match(long.values.get('Summary-Note') ?? '', /first 50 bytes/);
  assert.equal(page('<p>ünïcödé', {}, { maxDocumentBytes: 4 }).text, undefined);
  assert.equal(page('<p>ünïcödé', {}, { maxDocumentBytes: 7 }).text, 'ün');
});

const jsonLd = (script: string) => `<script type="application/ld+json">${script}</script><p>text`;

const hostile: Readonly<Record<string, () => string>> = {
  'deep nesting': () => `${'<div>'.repeat(100_000)}deep`,
  'deep nesting, closed': () => `${'<div><b>'.repeat(100_000)}deep${'</b></div>'.repeat(100_000)}`,
  'deep lists': () => '<ul><li>'.repeat(100_000),
  'end tags of nothing': () => `${'<div>'.repeat(50_000)}${'</section></td></p>'.repeat(100_000)}`,
  'forms within forms': () => '<form><table><tr><td>'.repeat(50_000),
  'drawings within drawings': () => '<svg><foreignObject><math>'.repeat(50_000),
  'hidden spans': () => '<span hidden>'.repeat(100_000),
  'unclosed headings': () => '<h1>x'.repeat(100_000),
  'one endless attribute': () => `<a href="${'a&amp;'.repeat(400_000)}">x</a>`,
  'many attributes': () => `<a ${'href=x hidden '.repeat(200_000)}>x</a>`,
  'many links': () => Array.from({ length: 100_000 }, (_, at) => `<a href=/${at}>x</a>`).join(''),
  'many metas': () => '<meta name=dc.creator content=x><meta name=robots content=", , ,">'.repeat(50_000),
  'many breaks': () => 'x<br>'.repeat(200_000),
  'many titles': () => '<title>x</title>'.repeat(100_000),
  'unclosed comment': () => `<!--${'<!--'.repeat(300_000)}`,
  'open brackets': () => '<'.repeat(1_000_000),
  ampersands: () => '&'.repeat(1_000_000),
  'numeric entities': () => '&#0000000000'.repeat(100_000),
  'zero bytes': () => `<p>a\0b${'<p>x\0'.repeat(20)}${'<p>word '.repeat(2000)}`,
  spaces: () => `<p>${' '.repeat(1_000_000)}x${'\n \t'.repeat(300_000)}`,
  'spaces in pre': () => `<pre>${' '.repeat(1_000_000)}x${' \n'.repeat(300_000)}`,
  'JSON-LD: deep arrays': () => jsonLd('['.repeat(1_000_000)),
  'JSON-LD: deep things': () => jsonLd('{"@type":"Article","author":'.repeat(40_000)),
  'JSON-LD: many things': () => jsonLd(`[${'{"@type":"Article","headline":"x <b>"},'.repeat(30_000)}]`),
  'JSON-LD: long titles': () =>
    jsonLd(`[${`{"@type":"Article","headline":"${'<b>x&amp;'.repeat(1000)}"},`.repeat(120)}]`),
  'JSON-LD: things in a circle': () =>
    jsonLd(
      `{"@graph":[${Array.from({ length: 20_000 }, (_, at) => `{"@id":"${at}","@type":"Article","isPartOf":{"@id":"${(at + 1) % 20_000}"},"name":{"@id":"${at}"},"author":{"@id":"${at}"}}`).join(',')}]}`,
    ),
  'JSON-LD: lists in lists': () => jsonLd(`{"@type":"Article","author":${'{"@list":['.repeat(100_000)}`),
  'JSON-LD: quotation marks': () => jsonLd(`{"a":${'"  '.repeat(300_000)}`),
  'JSON-LD: one quotation mark and blanks': () => jsonLd(`{"a":"b"${' \n'.repeat(400_000)}x"`),
  'JSON-LD: backslashes': () => jsonLd(`{"a":"${'\\'.repeat(1_000_001)}`),
  'JSON-LD: many scripts': () =>
    '<script type=application/ld+json>{"@type":"Article"</script>'.repeat(20_000),
  'JSON-LD: unclosed scripts': () => '<script type="application/ld+json">[{<!--'.repeat(30_000),
  'microdata: deep things': () => '<div itemscope itemprop=author>'.repeat(40_000),
  'microdata: deep texts': () => '<div itemscope itemtype=Article><b itemprop=name>x'.repeat(20_000),
  'microdata: unclosed items': () => '<ul><li itemprop=name>x<p itemprop=name>y'.repeat(30_000),
  'microdata: many names': () => `<p itemscope><b itemprop="${'a b c '.repeat(150_000)}">x`,
  'microdata: many values': () => `<p itemscope>${'<meta itemprop=author content="&lt;b">'.repeat(30_000)}`,
  'RDFa: many things': () => '<p typeof=Article property=name vocab=x>'.repeat(30_000),
  'unclosed authors': () => '<a rel=author href=x>'.repeat(50_000),
  'authors in markup': () => `<a rel="author" href=x>${'<i>'.repeat(20)}A</a>`.repeat(12_000),
  'many dates': () => '<time class=published>2024-01-01 <time>'.repeat(30_000),
  'unclosed readings': () => '<ruby>x<rt>y<rtc>'.repeat(60_000),
  'hidden lines': () => '<p style="display:none">x'.repeat(40_000),
  'unclosed title': () => `<title>${'&amp;'.repeat(300_000)}`,
};

for (const [name, make] of Object.entries(hostile))
  test(`hostile page: ${name}`, async () => {
    const html = make();
    const summariseAll = () => {
      for (const text of ['full', 'selected', 'terse'] as const) {
        const { attributes } = page(html, {}, { text });
        for (const [attribute, value] of attributes) assert.ok(!value.includes('\0'), attribute);
      }
    };
    // Each is about a megabyte; linear work takes well under a second of CPU time, other work minutes.
    await assertCpuMs(6000, summariseAll, `${html.length} characters`);
  });

const word = fc.stringMatching(/^[a-zäöüßéñ가-힣0-9]{1,12}$/);
const paragraphs = fc.array(fc.array(word, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 20 });

test('random words in paragraphs are read back unchanged', () => {
  const wrappers = ['', 'b', 'span', 'code', 'a'];
  fc.assert(
    fc.property(
      paragraphs,
      fc.array(fc.nat(4), { minLength: 1 }),
      fc.constantFrom(' ', '\n', ' \r\n\t'),
      (given, choices, gap) => {
        let at = 0;
        const html = given
          .map((words) => {
            const inner = words.map((text) => {
              const tag = wrappers[choices[at++ % choices.length] ?? 0] ?? '';
              return tag === '' ? text : `<${tag}>${text}</${tag}>`;
            });
            return `<p>${inner.join(gap)}</p>`;
          })
          .join(gap);
        assert.equal(textOf(html), given.map((words) => words.join(' ')).join('\n'));
      },
    ),
  );
});
