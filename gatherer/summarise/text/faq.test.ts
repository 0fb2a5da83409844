import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSummariseOptions } from '../../../readers/document/index.ts';
import { debianFile, extractOf } from '../../testing/extract-reading.ts';
import { summariseFaq } from './faq.ts';
import { summariseReadme } from './readme.ts';

test('a posting to news.answers', async () => {
  const faq = await extractOf(
    summariseFaq,
    'FAQ',
    `From: keeper@hive.example (The Keeper)
Newsgroups: sci.bees,news.answers
Subject: sci.bees Frequently Asked Questions
Message-ID: <1@hive.example>

Archive-name: sci/bees-faq
Posting-Frequency: monthly
Last-modified: 1996/05/04
Version: 2.1

Contents
--------

1.1) What is a bee?
1.2) Why do they
     sting?

Subject: 1.1) What is a bee?

An insect.

1.2) Why do they
     sting?

A) To defend the hive. Does it hurt? Yes.
`,
    { text: 'selected' },
  );
  assert.equal(faq.title, 'sci.bees Frequently Asked Questions');
  assert.deepEqual(Object.fromEntries(faq.fields), {
    Author: 'keeper@hive.example (The Keeper)',
    'Archive-Name': 'sci/bees-faq',
    Version: '2.1',
    Date: '1996/05/04',
    'Posting-Frequency': 'monthly',
    Newsgroups: 'sci.bees,news.answers',
    Questions: '2',
    Keywords: 'sci.bees\nFrequently\nAsked\nQuestions',
    Headings: 'Contents\nWhat is a bee?\nWhy do they sting?',
  });
  assert.equal(faq.text?.[0], 'Partial-Text');
  assert.match(faq.body, /To defend the hive\.\nDoes it hurt\?/);
});

test('FAQs of Debian: zlib', async (t) => {
  const bytes = debianFile(
    t,
    'zlib1g-dev',
    '/usr/share/doc/zlib1g-dev/FAQ.gz',
    '/usr/share/doc/zlib1g/FAQ.gz',
  );
  if (bytes === undefined) return;
  const faq = await extractOf(summariseFaq, 'FAQ', bytes);
  assert.equal(faq.title, 'Frequently Asked Questions about zlib');
  assert.ok(Number(faq.value('Questions')) > 30);
  assert.ok((faq.value('Headings') ?? '').split('\n').includes('Can zlib handle .zip archives?'));
});

test('a README with sections and a signature', async () => {
  const readme = await extractOf(
    summariseReadme,
    'README.Debian',
    `hive for Debian
---------------

Version: 1.2.3

This package keeps bees; see http://hive.example/keep. It needs
flowers all around the house.

BUILDING
========
make

INSTALLING IT

  make install   puts it there

 -- Maja Bee <maja@hive.example>  Sat, 04 May 1996 12:00:00 +0200
`,
  );
  assert.equal(readme.title, 'hive for Debian');
  assert.deepEqual(Object.fromEntries(readme.fields), {
    Description:
      'This package keeps bees; see http://hive.example/keep. It needs flowers all around the house.',
    Author: 'Maja Bee <maja@hive.example>',
    Date: 'Sat, 04 May 1996 12:00:00 +0200',
    Version: '1.2.3',
    Keywords: 'hive, house, bees, flowers, around, keeps, Debian, BUILDING, package, needs, INSTALLING, puts',
    Headings: 'hive for Debian\nBUILDING\nINSTALLING IT',
  });
  assert.deepEqual(readme.references, ['http://hive.example/keep']);
  assert.doesNotMatch(readme.body, /maja@/);
});

test('a README’s keywords: its own, else those of its text, and none where the level chooses them', async () => {
  const prose = 'The tide table gives the tide at each harbour. A tide table of a harbour is of use to it.\n';
  const keywords = async (text: string, options = {}) =>
    (await extractOf(summariseReadme, 'README', text, options)).value('Keywords') ?? '';
  assert.equal(
    await keywords(`Tides\n\n${prose}\nTags: sea, Tide Tables; ports.\n`),
    'sea, Tide Tables, ports',
  );
  assert.equal(await keywords(`# Tides\n\n${prose}\n**Keywords:** sea, *ports*\n`), 'sea, ports');
  const found = (await keywords(`# Tides\n\n${prose}`)).split(', ');
  assert.ok(found.includes('tide table') && found.includes('harbour'), found.join());
  assert.ok(found.length <= 12 && !found.some((word) => /^(?:the|of|it|at)$/i.test(word)));
  const document = {
    url: 'http://site.example/README',
    name: 'README',
    type: 'README',
    mediaType: 'text/plain',
  };
  const terse = { ...defaultSummariseOptions, text: 'terse' } as const;
  const { fields } = await summariseReadme({ ...document, bytes: Buffer.from(`# Tides\n\n${prose}`) }, terse);
  assert.deepEqual(
    fields.filter(([name, value]) => name === 'Keywords' && value !== ''),
    [],
  );
});

test('a README that begins with a NAME section is named by the line behind the heading', async () => {
  const text =
    'NAME\n    tide - print tide tables\n\nDESCRIPTION\n    It prints the tides of a harbour for a week.\n';
  const { title } = await extractOf(summariseReadme, 'README', text);
  assert.equal(title, 'tide - print tide tables');
});

test('the version of a README is its own, not of what it needs', async () => {
  const version = async (line: string) =>
    (await extractOf(summariseReadme, 'README', `Tide tables\n\n${line}\n`)).value('Version');
  assert.equal(await version('Current Version: 1.3.0'), '1.3.0');
  assert.equal(await version('This is tide, version 2.1 (May 2020)'), '2.1');
  for (const needed of ['for kernels that are version 5.10 or newer,', 'It requires Perl version 5.8.1'])
    assert.equal(await version(needed), undefined, needed);
});

test('a mark of RCS is not the title of a README', async () => {
  for (const mark of ['$Id: README,v 1.4 1996/05/04 12:00:00 bee Exp $', '# $Header$', '\t$Revision: 1.2 $'])
    for (const between of ['\n', '\n\n']) {
      const content = `${mark}${between}Hive, a keeper of bees\n\nIt keeps bees in boxes.\n`;
      const { title, body } = await extractOf(summariseReadme, 'README', content);
      assert.equal(title, 'Hive, a keeper of bees', content);
      assert.doesNotMatch(body, /\$/);
    }
});

test('a README in Markdown or reStructuredText is read as that', async () => {
  const markdown = await extractOf(summariseReadme, 'README', '# Hive\n\nKeeps *bees*.\n\n## Use\n');
  assert.equal(markdown.value('Headings'), 'Hive\nUse');
  assert.equal(markdown.body, 'Hive\nKeeps bees.\nUse');
  const rst = await extractOf(
    summariseReadme,
    'README',
    'Hive\n====\n\n.. image:: bee.png\n   :alt: a bee\n\n``code``\n',
  );
  assert.equal(rst.body, 'Hive\na bee\ncode');
});
