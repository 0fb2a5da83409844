import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compoundFileOf } from '../../../readers/testing/compound.ts';
import { encoded } from '../../../readers/testing/encoded.ts';
import { relationsPart, storedZip } from '../../../readers/testing/stored-zip.ts';
import { recognise } from '../../recognise/recognise.ts';
import { fullText, testDocument, valuesOf } from '../../testing/made-by-tools.ts';
import { summariseEpub } from './epub.ts';
import { summariseMsOffice } from './ms-office.ts';
import { summariseOpenDocument } from './open-document.ts';

const office = async (bytes: Uint8Array) => await summariseMsOffice(testDocument(bytes), fullText);
const textOf = async (bytes: Uint8Array) => valuesOf(await office(bytes)).get('Full-Text');

/** A record of an older workbook: numbers of two bytes and pieces. */
function record(type: number, ...parts: readonly (number | Uint8Array)[]): Buffer {
  const bytes = Buffer.concat(
    parts.map((part) => (typeof part === 'number' ? Buffer.from([part & 255, part >> 8]) : part)),
  );
  return Buffer.concat([Buffer.from(new Uint16Array([type, bytes.length]).buffer), bytes]);
}

const begin = (version: number, kind: number) => record(0x809, version, kind, 0, 0);
const end = record(0x0a);
const double = (value: number) => Buffer.from(new Float64Array([value]).buffer);
const short = (words: Uint8Array) => Buffer.concat([Buffer.from([words.length]), words]);

test('a workbook before Excel 97 is read by its code page: names, formats, rich text, results, notes', async () => {
  const cyrillic = (words: string) => encoded(words, 'windows-1251');
  const cell = (type: number, row: number, words: string) =>
    record(type, row, 0, 0, words.length, cyrillic(words));
  const result = Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff]);
  const stream = Buffer.concat([
    ...[begin(0x500, 5), record(0x42, 1251), record(0x41e, 164, short(cyrillic('yyyy\\-mm\\-dd')))],
    ...[record(0xe0, 0, 0, 0), record(0xe0, 0, 164, 0)],
    ...[record(0x85, 0, 0, 0, short(cyrillic('Лист'))), record(0x85, 0, 0, 0, short(cyrillic('Sums'))), end],
    ...[begin(0x500, 0x10), cell(0x204, 0, 'Привет'), cell(0xd6, 1, 'Море')],
    ...[record(0x203, 2, 0, 1, double(45337)), record(0x06, 3, 0, 0, result, 0, 0, 0)],
    ...[record(0x207, 4, cyrillic('Итог')), record(0x1c, 0, 0, 5, cyrillic('Прим.')), end],
    ...[begin(0x500, 0x10), cell(0x204, 0, 'Sum'), end],
  ]);
  assert.equal(
    await textOf(compoundFileOf('Book', stream)),
    'Лист\nПривет\nМоре\n2024-02-15\nИтог\nПрим.\nSums\nSum',
  );
});

test('a chart on a sheet of an older workbook is no sheet, and of it only words are read', async () => {
  const name = (words: string) => Buffer.concat([Buffer.from([words.length, 0]), Buffer.from(words)]);
  const words = (row: number, text: string) =>
    record(0x204, row, 0, 0, text.length, Buffer.from(`\0${text}`));
  const truth = Buffer.from([1, 0, 1, 0, 0, 0, 0xff, 0xff]);
  const stream = Buffer.concat([
    ...[begin(0x600, 5), record(0x85, 0, 0, 0, name('Alpha')), record(0x85, 0, 0, 0, name('Beta')), end],
    ...[begin(0x600, 0x10), words(0, 'one'), begin(0x600, 0x20), record(0x100d, 0, name('Title of a chart'))],
    ...[words(0, 'one'), end, words(5, 'two'), record(0x06, 6, 0, 0, truth, 0, 0, 0), end],
    ...[begin(0x600, 0x10), words(0, 'three'), end],
  ]);
  assert.equal(
    await textOf(compoundFileOf('Workbook', stream)),
    'Alpha\none\ntwo\nTRUE\nTitle of a chart\nBeta\nthree',
  );
});

const paragraph = (words: string) => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`;
const word = (body: string, more: Readonly<Record<string, string>> = {}, folder = 'word') =>
  storedZip({
    '_rels/.rels': relationsPart(['officeDocument', `${folder}/document.xml`]),
    [`${folder}/document.xml`]: `<w:document><w:body>${body}</w:body></w:document>`,
    ...more,
  });

test('a table within a cell belongs to that cell, in Word and in OpenDocument', async () => {
  const table = (...rows: readonly (readonly string[])[]) =>
    `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`;
  const inner = table([paragraph('c'), paragraph('d')], [paragraph('e')]);
  const body = table([paragraph('a'), paragraph('b') + inner + paragraph('f')], [paragraph('g')]);
  assert.equal(await textOf(word(body + paragraph('end'))), 'a b c d e f\ng\nend');
  const open = body.replace(/<(\/?)w:(tbl|tr|tc|p)>/g, (_, slash: string, name: string) => {
    const names = { tbl: 'table:table', tr: 'table:table-row', tc: 'table:table-cell', p: 'text:p' };
    return `<${slash}${names[name as 'tr']}>`;
  });
  const flat = `<office:document><office:body><office:text>${open}</office:text></office:body></office:document>`;
  const found = await summariseOpenDocument(testDocument(Buffer.from(flat)), fullText);
  assert.equal(valuesOf(found).get('Full-Text'), 'a b c d e f\ng');
});

test('formulas of OpenDocument are read without the notation of their editor', async () => {
  const math =
    '<math:math><math:semantics><math:mi>E</math:mi><math:mo>=</math:mo><math:mi>m</math:mi><math:annotation>E = m</math:annotation></math:semantics></math:math>';
  const parts = {
    'content.xml': '<office:text><text:p>Energy</text:p></office:text>',
    'Object 1/content.xml': math.replaceAll('math:', ''),
  };
  const packed = await summariseOpenDocument(testDocument(storedZip(parts)), fullText);
  assert.equal(valuesOf(packed).get('Full-Text'), 'Energy\nE = m');
  const flat = Buffer.from(`<office:document><text:p>Flat ${math}</text:p></office:document>`);
  assert.match(
    valuesOf(await summariseOpenDocument(testDocument(flat), fullText)).get('Full-Text') ?? '',
    /^E = m$/m,
  );
});

const workbook = (strings: string, names: Readonly<Record<string, string>> = {}) => {
  const part = (name: string) => names[name] ?? name;
  return storedZip({
    [part('[Content_Types].xml')]: '<Types/>',
    [part('_rels/.rels')]: relationsPart(['officeDocument', 'xl/workbook.xml']),
    [part('xl/workbook.xml')]:
      '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="rId1"/></sheets></workbook>',
    [part('xl/_rels/workbook.xml.rels')]: relationsPart(
      ['worksheet', 'sheet.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ),
    [part('xl/sharedStrings.xml')]: `<sst>${strings}</sst>`,
    [part('xl/sheet.xml')]: '<worksheet><sheetData><row><c t="s"><v>0</v></c></row></sheetData></worksheet>',
    [part('xl/_rels/sheet.xml.rels')]: relationsPart(['drawing', 'd.xml']),
    [part('xl/d.xml')]:
      '<wsDr><AlternateContent><Choice><sp><p><t>shape</t></p></sp></Choice><Fallback><sp><p><t>This shape represents a slicer.</t></p></sp></Fallback></AlternateContent></wsDr>',
  });
};

test('parts of a document are found in another case, with backslashes and in a folder of any name', async () => {
  const cased = { 'xl/sharedStrings.xml': 'xl/SharedStrings.xml' };
  assert.equal(await textOf(workbook('<si><t>words</t></si>', cased)), 'S\nwords\nshape');
  const back = Object.fromEntries(
    [
      '_rels/.rels',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/sharedStrings.xml',
      'xl/sheet.xml',
    ].map((name) => [name, name.replaceAll('/', '\\')]),
  );
  const bytes = workbook('<si><t>words</t></si>', back);
  assert.equal(await textOf(bytes), 'S\nwords\nshape');
  assert.equal(recognise({ url: 'http://h/a', name: 'a', bytes }).type, 'MSExcel');
  const other = storedZip({
    '_rels/.rels': relationsPart(['officeDocument', 'data/book.xml']),
    'data/book.xml':
      '<?xml version="1.0"?><x:workbook xmlns:r="r"><x:sheet name="S" r:id="rId1"/></x:workbook>',
    'data/_rels/book.xml.rels': relationsPart(['worksheet', 'sheet.xml']),
    'data/sheet.xml': '<worksheet><row><c t="inlineStr"><is><t>cell</t></is></c></row></worksheet>',
  });
  assert.equal(await textOf(other), 'S\ncell');
});

test('characters that strings of Excel escape are those characters', async () => {
  assert.equal(
    await textOf(workbook('<si><t>one_x000D_\ntwo _x00E9_t_x00e9_ _x005F_x000D_</t></si>')),
    'S\none two été _x000D_\nshape',
  );
});

test('what older programs show instead is no text of a slide', async () => {
  const shape = (words: string) => `<p:sp><a:p><a:r><a:t>${words}</a:t></a:r></a:p></p:sp>`;
  const slide = `<p:sld><mc:AlternateContent><mc:Choice>${shape('new')}</mc:Choice><mc:Fallback>${shape('old')}</mc:Fallback></mc:AlternateContent></p:sld>`;
  const bytes = storedZip({
    '_rels/.rels': relationsPart(['officeDocument', 'ppt/presentation.xml']),
    'ppt/presentation.xml': '<p:presentation><p:sldId id="256" r:id="rId1"/></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relationsPart(['slide', 'slide.xml']),
    'ppt/slide.xml': slide,
  });
  assert.equal(await textOf(bytes), 'new');
});

test('the address in a field of Word is a reference', async () => {
  const char = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const address = `http://site.example/${'a'.repeat(300)}`;
  const field = `<w:p>${char('begin')}<w:r><w:instrText> HYPERLINK "${address}" \\o "tip"</w:instrText></w:r>${char('separate')}<w:r><w:t>words</w:t></w:r>${char('end')}</w:p>`;
  const found = await office(word(field));
  assert.deepEqual(found.references, [address]);
  assert.equal(valuesOf(found).get('Full-Text'), 'words');
});

test('encrypted pages of a book are left out with a note, and its package may be named from the root', async () => {
  const bytes = storedZip({
    'META-INF/container.xml': '<container><rootfile full-path="/book/a.opf"/></container>',
    'META-INF/encryption.xml':
      '<encryption><EncryptedData><CipherReference URI="book/b.html"/></EncryptedData></encryption>',
    'book/a.opf':
      '<package><metadata><dc:title>Locked</dc:title></metadata><manifest><item id="a" href="a.html"/><item id="b" href="b.html"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
    'book/a.html': '<p>Words of the cover.</p>',
    'book/b.html': Buffer.from(Array.from({ length: 900 }, (_, at) => (at * 89 + (at >> 2) * 7) % 256)),
  });
  const found = await summariseEpub(testDocument(bytes), fullText);
  assert.equal(found.title, 'Locked');
  assert.equal(valuesOf(found).get('Full-Text'), 'Words of the cover.');
  assert.deepEqual(found.notes, ['Pages of the book are encrypted.']);
});

test('Word in a single XML file, of 2003 or a package, is read as Word under any name', async () => {
  const body = '<w:body><w:p><w:r><w:t>Split wo</w:t></w:r><w:r><w:t>rd</w:t></w:r></w:p></w:body>';
  const old = `<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument xmlns:w="w"><o:DocumentProperties><o:Title>Two</o:Title><o:Author>Al</o:Author></o:DocumentProperties>${body}</w:wordDocument>`;
  const flat = `<pkg:package xmlns:pkg="p"><pkg:part pkg:name="/word/document.xml"><w:document>${body}</w:document></pkg:part><pkg:part pkg:name="/docProps/core.xml"><cp:coreProperties><dc:title>Two</dc:title><dc:creator>Al</dc:creator></cp:coreProperties></pkg:part></pkg:package>`;
  for (const source of [old, flat]) {
    const bytes = Buffer.from(source);
    for (const name of ['a.doc', 'a.xml', 'a'])
      assert.equal(recognise({ url: 'http://h/a', name, bytes }).type, 'MSWord');
    const found = await office(bytes);
    assert.equal(found.title, 'Two');
    assert.equal(valuesOf(found).get('Author'), 'Al');
    assert.equal(valuesOf(found).get('Full-Text'), 'Split word');
  }
});
