import { test } from 'node:test';
import { assertHolds, assertLinear, assertSurvives, summarised } from '../../testing/summarise-sample.ts';
import { summariseFictionBook } from './fictionbook.ts';

const book = `<?xml version="1.0" encoding="utf-8"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">
<stylesheet type="text/css">.a { color: red }</stylesheet>
<description><title-info><genre>sf</genre><genre>adventure</genre>
 <author><first-name>Kim</first-name><middle-name>J.</middle-name><last-name>Example</last-name><email>k@x</email></author>
 <author><nickname>Jo</nickname></author><book-title>The Sea</book-title>
 <annotation><p>A book <strong>about</strong></p><p>the sea.</p></annotation><keywords>tide, boat</keywords>
 <date value="2024-02-15">February</date><coverpage><image l:href="#c.png"/></coverpage><lang>en</lang>
 <translator><first-name>Ann</first-name><last-name>Other</last-name></translator><sequence name="Waters" number="2"/></title-info>
 <document-info><author><nickname>maker</nickname></author><id>ID-1</id></document-info>
 <publish-info><book-name>Printed</book-name><publisher>Port Press</publisher><year>1999</year><isbn>1-2-3</isbn></publish-info></description>
<body><title><p>The</p><p>Sea</p></title><epigraph><p>Quote</p><text-author>Someone</text-author></epigraph>
 <section><title><p>One</p></title><p>First <emphasis>words</emphasis> <a l:href="#n1" type="note">[1]</a></p>
  <section><title><p>Deep</p></title><p>See <a l:href="http://h/a">this</a>.</p><poem><stanza><v>line a</v><v>line b</v></stanza></poem></section></section></body>
<body name="notes"><section id="n1"><title><p>1</p></title><p>A note</p></section></body>
<binary id="c.png" content-type="image/png">iVBORw0KGgo=</binary></FictionBook>`;

test('a FictionBook gives its description, titles and text, and counts pictures', async () => {
  assertHolds(await summarised(summariseFictionBook, book, 'a.fb2'), {
    Title: 'The Sea',
    'Author-1': 'Kim J. Example',
    'Author-2': 'Jo',
    Contributor: 'Ann Other',
    Description: 'A book about the sea.',
    Keywords: 'tide, boat, sf, adventure',
    Language: 'en',
    Date: '2024-02-15',
    Series: 'Waters 2',
    Publisher: 'Port Press',
    Year: '1999',
    ISBN: '1-2-3',
    Identifier: 'ID-1',
    Images: '1',
    Headings: 'The Sea\nOne\nDeep\n1',
    'Full-Text': 'The Sea\nQuote\nSomeone\nOne\nFirst words [1]\nDeep\nSee this.\nline a\nline b\n1\nA note',
  });
  assertHolds(await summarised(summariseFictionBook, book.slice(0, book.indexOf('words</emph')), 'a.fb2'), {
    Title: 'The Sea',
    Headings: 'The Sea\nOne',
    'Full-Text': 'The Sea\nQuote\nSomeone\nOne\nFirst',
  });
});

test('damaged FictionBooks give what they hold, and large ones take linear time', async () => {
  await assertSurvives(summariseFictionBook, [Buffer.from(book)], 'a.fb2');
  const parts = ['<p>a</p>', '<section>', '<title>', '<p>', '<section><title><p>a', '</p>'];
  await assertLinear(summariseFictionBook, parts, 'a.fb2', '<FictionBook><body>');
  await assertLinear(
    summariseFictionBook,
    ['<author>', '<genre>a</genre>'],
    'a.fb2',
    '<FictionBook><description><title-info>',
  );
});
