import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertCpuMs } from '../../../kernel/testing/cpu-time.ts';
import { summarise, summaryOf } from '../../testing/summary-of.ts';
import { summariseMarkdown } from './markdown.ts';

function read(markdown: string) {
  const bytes = Buffer.from(markdown);
  const summary = summaryOf(summariseMarkdown, {
    url: 'http://site.example/docs/page.md',
    name: 'page.md',
    bytes,
  });
  const values = new Map(summary.attributes);
  return { ...summary, values, text: values.get('Full-Text') };
}

const textOf = (markdown: string) => read(markdown).text;

test('a whole document', () => {
  const { values, links } = read(`---
title: "The \\"Hive\\""
description: How bees live   # a comment
tags: [bees, 'honey']
authors:
  - A. Keeper
  - B. Keeper
lang: en
date: 1996-03-01
nested:
  title: not this
---
# Bees *at* home #

They [fly](../fly.md#wings "Wings") and ![sting](sting.png), see <http://other.example/>,
[wax][w], [combs][], [pollen] and https://site.example/a_b_c.

Setext heading
--------------
1. one
2. [x] two \`code [not](a-link)\`

> quoted **strong** text

| Name | Size |
|------|-----:|
| ant  | 3 \\| 4 |

\`\`\`js
const x = a*b*c; // [kept](as-is)
\`\`\`

<!-- a comment
over lines -->
<div align="center"><a href="html.html">HTML</a><br>too</div>

[w]: <wax.md> "Wax"
[Combs]: combs.md
[pollen]: http://pollen.example/
`);
  assert.deepEqual(
    [...values].filter(([name]) => !/^(?:MD5|File-Size|URL-References)$/.test(name)),
    [
      ['Title', 'The "Hive"'],
      ['Description', 'How bees live'],
      ['Keywords', 'bees, honey'],
      ['Author-1', 'A. Keeper'],
      ['Author-2', 'B. Keeper'],
      ['Date', '1996-03-01'],
      ['Language', 'en'],
      ['Headings', 'Bees at home\nSetext heading'],
      ['Type', 'Markdown'],
      [
        'Full-Text',
        [
          'Bees at home',
          'They fly and sting, see http://other.example/, wax, combs, pollen and https://site.example/a_b_c.',
          'Setext heading',
          'one',
          'two code [not](a-link)',
          'quoted strong text',
          'Name Size',
          'ant 3 | 4',
          'const x = a*b*c; // [kept](as-is)',
          'HTML too',
        ].join('\n'),
      ],
    ],
  );
  assert.deepEqual([...links].sort(), [
    'http://other.example/',
    'http://pollen.example/',
    'http://site.example/docs/combs.md',
    'http://site.example/docs/html.html',
    'http://site.example/docs/wax.md',
    'http://site.example/fly.md',
    'https://site.example/a_b_c',
  ]);
});

test('titles: front matter, first-level heading, any heading, file name', () => {
  assert.equal(read('---\ntitle: A\n---\n# B').values.get('Title'), 'A');
  assert.equal(read('## C\n# B').values.get('Title'), 'B');
  assert.equal(read('## C\ntext').values.get('Title'), 'C');
  assert.equal(read('text').values.get('Title'), 'page.md');
  assert.equal(read('Title\n=====\ntext').values.get('Title'), 'Title');
});

test('marks that are text stay', () => {
  assert.equal(
    textOf('2 * 3 * 4, snake_case_name, \\*star\\*, a~b, #hash, array[0] and [^1]'),
    '2 * 3 * 4, snake_case_name, *star*, a~b, #hash, array[0] and',
  );
  assert.equal(textOf('un*believ*able ~~gone~~ __bold__ ***both***'), 'unbelievable gone bold both');
  assert.equal(textOf('`` a ` b `` and ` alone'), 'a ` b and ` alone');
  assert.equal(textOf('AT&amp;T &lt;x&gt; &#228; &nosuch; R&D'), 'AT&T <x> ä &nosuch; R&D');
  assert.equal(
    textOf('[unknown][ref] and [text](<a b.md>) [t](u "x" y)'),
    '[unknown][ref] and text [t](u "x" y)',
  );
  assert.equal(textOf('a < b and c > d'), 'a < b and c > d');
});

test('front matter that never ends is text, and odd values do no harm', () => {
  assert.equal(textOf('---\ntitle: A\n\ntext'), 'title: A\ntext');
  const { values } = read(
    '---\ntitle: |\n  block\ndescription: {a: b}\nkeywords: []\nauthor: !!x\n...\ntext',
  );
  assert.equal(values.get('Title'), 'block');
  assert.equal(values.get('Full-Text'), 'text');
});

test('code keeps its lines, indented or fenced', () => {
  assert.equal(textOf('a\n\n    x = *p;\n\n    y\n\nb'), 'a\nx = *p;\ny\nb');
  assert.equal(textOf('~~~~\n```\n# no heading\n~~~~\nafter'), '```\n# no heading\nafter');
  assert.equal(textOf('```\nnever closed'), 'never closed');
  assert.equal(textOf('- item\n\n    more *of* it'), 'item\nmore of it');
});

const hostile: Readonly<Record<string, string>> = {
  brackets: '['.repeat(500_000),
  'closed brackets': '[]'.repeat(300_000),
  'nested links': `${'[a]('.repeat(200_000)}${')'.repeat(200_000)}`,
  backticks: Array.from({ length: 1400 }, (_, at) => '`'.repeat(at + 1)).join(' '),
  stars: '*a_'.repeat(300_000),
  quotes: '> '.repeat(500_000),
  angles: '<a '.repeat(300_000),
  comments: '<!--'.repeat(200_000),
  'comments in a paragraph': `x${'<!--'.repeat(200_000)}`,
  hashes: `# ${'# '.repeat(300_000)}x`,
  rules: `${'- '.repeat(300_000)}x`,
  definitions: Array.from({ length: 50_000 }, (_, at) => `[${at}]: ${at}.md`).join('\n'),
  'front matter': `---\n${'a: - b\n'.repeat(200_000)}`,
  spaces: `${' '.repeat(1_000_000)}x`,
  'spaces in a heading': `# a${' '.repeat(1_000_000)}b`,
  'lists in lists': Array.from({ length: 1000 }, (_, at) => `${' '.repeat(at)}- x`).join('\n'),
  pipes: `|${'|'.repeat(500_000)}`,
};

for (const [name, markdown] of Object.entries(hostile))
  test(`hostile Markdown: ${name}`, async () => {
    const summarise = () => {
      const { values } = read(markdown);
      assert.doesNotMatch(values.get('Summary-Note') ?? '', /Error/);
    };
    await assertCpuMs(4000, summarise, `${markdown.length} characters`);
  });

const word = fc.stringMatching(/^[a-zäöüé가-힣]{1,12}$/);

test('random words in paragraphs are read back unchanged', () => {
  const marks = ['', '*', '**', '`', '~~'];
  const paragraphs = fc.array(fc.array(word, { minLength: 1, maxLength: 12 }), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(paragraphs, fc.array(fc.nat(4), { minLength: 1 }), (given, choices) => {
      let at = 0;
      const marked = given.map((words) =>
        words
          .map((text) => {
            const mark = marks[choices[at++ % choices.length] ?? 0] ?? '';
            return `${mark}${text}${mark}`;
          })
          .join(' '),
      );
      assert.equal(textOf(marked.join('\n\n')), given.map((words) => words.join(' ')).join('\n'));
    }),
  );
});

test('headings in HTML are headings, and badges are no part of a heading', () => {
  const table: readonly (readonly [markdown: string, title: string, text?: string])[] = [
    ['<h1 align="center">Tide</h1>\n\nWords', 'Tide', 'Tide\nWords'],
    ['<h1>\n  <img src="l.svg" alt="Logo">\n  <br>\n  Tide\n</h1>\nWords', 'Logo Tide', 'Logo Tide\nWords'],
    ['<h1 align="center">\n\n  Tide\n\n</h1>\n\nWords', 'Tide'],
    ['<div align="center"><h1>Tide</h1></div>\n\nWords', 'Tide'],
    ['<p align="center">\n<h1>Tide &amp; *more*</h1>\n</p>', 'Tide & more'],
    ['<H2>Tide</H2>', 'Tide'],
    ['<h1><a href="https://x.example/"><img src="b.svg" alt="build"></a> Tide</h1>', 'Tide'],
    ['# Tide [![build](b.svg)](https://x.example/) [![npm][n]][p]\n\nWords', 'Tide'],
    ['# [![Tide](b.svg)](https://x.example/)', 'Tide'],
    ['<h1>never closed\n\n# Tide', 'Tide'],
    ['Words <h1> in text\n\n# Tide', 'Tide'],
    ['```\n<h1>Code</h1>\n```\n\n# Tide', 'Tide'],
    ['# Tide {#top .x}\n\nWords', 'Tide', 'Tide\nWords'],
    ['#Tide tables\n\nWords', 'Tide tables'],
    ['#hashtag words\n\n# Tide', 'Tide'],
    ['<h1>Tide</h1> and words', 'Tide', 'Tide\nand words'],
    ['<img src="l.svg" alt="Logo"> <h1>Tide</h1>', 'Tide', 'Logo\nTide'],
    ['# Tide -*- markdown -*-\n\nWords', 'Tide', 'Tide\nWords'],
  ];
  for (const [markdown, title, text] of table) {
    const { values } = read(markdown);
    assert.equal(values.get('Title'), title, markdown);
    if (text !== undefined) assert.equal(values.get('Full-Text'), text, markdown);
  }
});

test('front matter before HTML, AsciiDoc and Markdown of any ending is no text', async () => {
  const front = '---\ntitle: Tide page\ndescription: >\n  Of the\n  tides\nauthor: Kim\n---\n';
  const toml = '+++\r\ntitle = "Tide page"\r\ndescription = "Of the tides"\r\nauthor = "Kim"\r\n+++\r\n';
  const table: readonly (readonly [name: string, body: string])[] = [
    ['a.html', '<h1>Heading</h1>\n<p>Wörds</p>'],
    ['a.adoc', '= Heading\n\nWörds'],
    ['a.md', '# Heading\n\nWörds'],
    ['a.Rmd', '# Heading\n\nWörds'],
    ['a.qmd', '# Heading\n\nWörds'],
    ['a.mdx', '# Heading\n\nWörds'],
  ];
  for (const [name, body] of table)
    for (const text of [front + body, toml + body, (front + body).replaceAll('\n', '\r')]) {
      const bytes = Buffer.from(text);
      const values = new Map((await summarise({ url: `http://x.example/${name}`, name, bytes })).attributes);
      const found = ['Title', 'Description', 'Author', 'Full-Text'].map((key) => values.get(key));
      assert.deepEqual(found, ['Tide page', 'Of the tides', 'Kim', 'Heading\nWörds'], name);
    }
});

test('a change log in markup whose first heading is an entry is named by what it is and its folder', async () => {
  const table: readonly (readonly [name: string, text: string, title: string])[] = [
    ['CHANGELOG.md', '## 1.0.0 (2024-01-02)\n\n* fix\n', 'ChangeLog (tide)'],
    ['CHANGELOG.md', '# [1.0.0] - 2024-01-02\n\n* fix\n', 'ChangeLog (tide)'],
    ['CHANGES.rst', '1.0 (2024-01-02)\n----------------\n\n- fix\n', 'CHANGES (tide)'],
    ['CHANGELOG.md', '# Tide changes\n\n## 1.0.0\n', 'Tide changes'],
    ['index.md', '# 1.0.0 of the tide\n', '1.0.0 of the tide'],
  ];
  for (const [name, text, title] of table) {
    const document = { url: `http://x.example/tide/${name}`, name, bytes: Buffer.from(text) };
    assert.equal(new Map((await summarise(document)).attributes).get('Title'), title, text);
  }
});

test('the title of a README is without frames and behind notices of rights', async () => {
  const words = 'Reads the tables of a port for everyone who sails.';
  const gnu =
    'Copyright (C) 1990 Kim\n\n  Permission is granted to anyone to make copies\n  of this document.\n\n';
  for (const [text, title] of [
    [`******************\n*    Tide 2.0    *\n******************\n\n${words}\n`, 'Tide 2.0'],
    [`${gnu}Tide 2.0\n\n${words}\n`, 'Tide 2.0'],
    [`h1. Tide 2.0\n\n${words}\n`, 'Tide 2.0'],
    [`\u001b[1mTide 2.0\u001b[0m\n\n${words}\n`, 'Tide 2.0'],
  ] as const) {
    const document = { url: 'http://x.example/tide/README', name: 'README', bytes: Buffer.from(text) };
    const values = new Map((await summarise(document)).attributes);
    assert.deepEqual([values.get('Title'), values.get('Description')], [title, words], text);
  }
});
