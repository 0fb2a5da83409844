import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributesOf, tried } from './tried.ts';

const textOf = async (number: number, file: string) => (await attributesOf(number, file))['Full-Text'] ?? '';

test('case 49: a number with a format of dates is a date, in any file of Excel', async () => {
  const text = await textOf(49, 'x.xlsx');
  assert.match(text, /^2024-02-15 2024-02-16 TRUE formula result 2 #DIV\/0! 0\.3$/m);
  assert.match(text, /^cell comment words$/m);
  assert.match(await textOf(49, 'lo-dates.xlsx'), /^Pier 2024-02-15 4\.25 12%$/m);
});

test('case 51: header, footer, comment and note of a text of Word', async () => {
  assert.equal(
    await textOf(51, 'd.docx'),
    'headerwords\ntext [endnotewords] about\nfooterwords\ncommentwords',
  );
});

test('case 52: a workbook in a text of Word is a document of its own, which the text names', async () => {
  const { objects } = await tried(52, 'd.docx');
  assert.deepEqual(
    objects.map(({ url, attributes }) => [
      url.split('#')[1],
      attributes.Attachments,
      attributes['Full-Text'],
    ]),
    [
      [undefined, 'sheet.xlsx', 'host'],
      ['sheet.xlsx', undefined, 'E\nembedded cell'],
    ],
  );
});

test('case 61: two columns drawn row by row are read one after the other', async () => {
  assert.match(
    await textOf(61, 'c.pdf'),
    /^Left column line one talks about the tide in the port and ends on the left side\.\s+Right column line one is about the price of fish and ends on the right side\.$/,
  );
});

test('case 62: the value of a form’s field and a note on the page', async () => {
  assert.equal(await textOf(62, 'fm.pdf'), 'Application form\nname: Filled field words\nSticky note words');
});

test('case 64: the main title of a book, its people by role, its description without markup', async () => {
  const { Title, Subtitle, Author, Contributor, Description } = await attributesOf(64, 'b.epub');
  assert.deepEqual(
    [Title, Subtitle, Author, Contributor, Description],
    ['Main Book Title', 'The sub', 'Writer, Wendy', 'Illu, Ivan', 'About tides'],
  );
});
