import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relationsPart, storedZip } from '../../../readers/testing/stored-zip.ts';
import { annotatedSheet, annotatedSlides, annotatedText } from '../../testing/annotated-samples.ts';
import { fullText, lacking, testDocument, valuesOf } from '../../testing/made-by-tools.ts';
import { byLibreOffice, libreOfficeWhole } from '../../testing/office-samples.ts';
import { summariseMsOffice } from './ms-office.ts';
import { summariseOpenDocument } from './open-document.ts';
import { summariseRtf } from './rtf.ts';

const absent = lacking('soffice') || libreOfficeWhole;
const summarisers = { od: summariseOpenDocument, rt: summariseRtf } as const;

/** The lines of a document that LibreOffice made of a flat one. */
async function linesOf(source: Buffer, flat: string, format: string): Promise<string[]> {
  const bytes = byLibreOffice(source, flat, format);
  const summarise = summarisers[format.slice(0, 2) as 'od'] ?? summariseMsOffice;
  return (valuesOf(await summarise(testDocument(bytes), fullText)).get('Full-Text') ?? '').split('\n');
}

test('cells of every format of workbooks are read as shown, with comments, boxes, headers and hidden sheets', async (t) => {
  if (absent !== false) return t.skip(absent);
  for (const format of ['xlsx', 'xls', 'ods']) {
    const lines = await linesOf(annotatedSheet, 'fods', format);
    assert.ok(
      lines.includes('2024-02-15 15. February 2024 30:15 12.5% 01067 1,234.50 € 1'),
      `${format}: ${lines}`,
    );
    const beside = ['remark on a cell', 'Letterhead of the port', 'hidden words'];
    assert.match(lines.join('\n'), /\bwords in a box$/m, format);
    for (const words of beside)
      assert.equal(lines.filter((line) => line === words).length, 1, `${format}: ${words}`);
    assert.ok(!lines.some((line) => /Page|\?\?\?|PT30H/.test(line)), format);
  }
});

test('headers, footers, notes, comments and boxes of texts are read in every format, deleted words in none', async (t) => {
  if (absent !== false) return t.skip(absent);
  for (const format of ['docx', 'doc', 'odt', 'rtf']) {
    const lines = await linesOf(annotatedText, 'fodt', format);
    const text = lines.join('\n');
    const beside = ['Letterhead of the port', 'File number 4711', 'remark of a reviewer'];
    for (const words of [...beside, 'words in a box', 'After the box.'])
      assert.equal(lines.filter((line) => line.trim() === words).length, 1, `${format}: ${words}: ${text}`);
    assert.match(text, /words of a footnote[\s\S]*words of an endnote/, format);
    assert.match(text, /a day, addedwords\./, format);
    assert.doesNotMatch(text, /removedwords|Page|Rev\b|2024/, format);
  }
});

test('notes, comments and footers of slides are read in every format', async (t) => {
  if (absent !== false) return t.skip(absent);
  for (const format of ['pptx', 'ppt', 'odp']) {
    const lines = await linesOf(annotatedSlides, 'fodp', format);
    // LibreOffice writes no comments into the older format.
    const comment = format === 'ppt' ? [] : ['remark on a slide'];
    for (const words of ['words on the slide', 'words of the speaker', 'Footer of the deck', ...comment])
      assert.equal(lines.filter((line) => line === words).length, 1, `${format}: ${words}: ${lines}`);
  }
});

const text = async (members: Readonly<Record<string, string | Uint8Array>>) =>
  valuesOf(await summariseMsOffice(testDocument(storedZip(members)), fullText)).get('Full-Text');

const workbook = (cells: string, more: Readonly<Record<string, string>> = {}, properties = '') =>
  text({
    '_rels/.rels': relationsPart(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook xmlns:r="r"><workbookPr ${properties}/><sheets><sheet name="S" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationsPart(['worksheet', 'sheet.xml'], ['styles', 'styles.xml']),
    'xl/styles.xml':
      '<styleSheet><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="46"/></cellXfs></styleSheet>',
    'xl/sheet.xml': `<worksheet><sheetData><row>${cells}</row></sheetData><headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Tides &amp;&amp; co&amp;CPage &amp;P of &amp;N&amp;R&amp;D</oddHeader></headerFooter></worksheet>`,
    ...more,
  });

test('cells of Excel: days from 1904, durations, truth, days as text, inline text without its reading', async () => {
  const cells =
    '<c s="1"><v>43875</v></c><c s="2"><v>1.5</v></c><c t="b"><v>1</v></c><c t="d"><v>2024-02-15T00:00:00</v></c><c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r><rPh><t>reading</t></rPh></is></c><c><v>12345678901234567</v></c>';
  assert.equal(
    await workbook(cells, {}, 'date1904="1"'),
    'S\n2024-02-15 36:00:00 TRUE 2024-02-15 inline 12345678901234567\nTides & co',
  );
});

test('threaded comments of Excel are read once, and older ones beside them', async () => {
  const comments =
    '<comments><authors><author>tc={1}</author><author>Al</author></authors><commentList><comment ref="A1" authorId="0"><text><t>[Threaded comment] first</t></text></comment><comment ref="B1" authorId="1"><text><r><t>older</t></r><r><t> words</t></r></text></comment></commentList></comments>';
  const threaded =
    '<ThreadedComments><threadedComment ref="A1"><text>first</text></threadedComment></ThreadedComments>';
  const words = await workbook('<c><v>1</v></c>', {
    'xl/_rels/sheet.xml.rels': relationsPart(
      ['comments', 'c.xml'],
      ['threadedComment', 't.xml'],
      ['drawing', 'd.xml'],
    ),
    'xl/c.xml': comments,
    'xl/t.xml': threaded,
    'xl/d.xml': '<wsDr><sp><txBody><p><r><t>shape words</t></r></p></txBody></sp></wsDr>',
    'xl/_rels/d.xml.rels': relationsPart(['chart', 'chart.xml']),
    'xl/chart.xml':
      '<chart><title><p><r><t>Chart title</t></r></p></title><ser><tx><strCache><v>Series</v></strCache></tx><val><numCache><v>5</v></numCache></val></ser></chart>',
  });
  assert.equal(words, 'S\n1\nolder words\nfirst\nshape words\nChart title\nSeries\nTides & co');
});

test('headers of Word come once, without the fields that count pages', async () => {
  const run = (words: string) => `<w:r><w:t>${words}</w:t></w:r>`;
  const char = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const field = `${char('begin')}<w:r><w:instrText> PAGE </w:instrText></w:r>${char('separate')}${run('7')}${char('end')}`;
  const header = (content: string) => `<w:hdr><w:p>${content}</w:p></w:hdr>`;
  const words = await text({
    '_rels/.rels': relationsPart(['officeDocument', 'word/document.xml']),
    'word/document.xml': `<w:document><w:body><w:p>${run('body ')}<w:moveFrom>${run('moved')}</w:moveFrom><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p></w:body></w:document>`,
    'word/_rels/document.xml.rels': relationsPart(
      ['header', 'h1.xml'],
      ['header', 'h2.xml'],
      ['header', 'h3.xml'],
      ['footer', 'f1.xml'],
      ['diagramData', 'data.xml'],
    ),
    'word/h1.xml': header(run('Case 12/2024')),
    'word/h2.xml': header(run('Case 12/2024')),
    'word/h3.xml': header(
      `${run('Page ')}${field}${run(' of ')}<w:fldSimple w:instr="NUMPAGES">${run('9')}</w:fldSimple>`,
    ),
    'word/f1.xml': header(`${run('Annual report of the port, page ')}${field}`),
    'word/data.xml': '<dataModel><t><p><r><t>diagram words</t></r></p></t></dataModel>',
  });
  assert.equal(words, 'Case 12/2024\nbody\nAnnual report of the port, page\ndiagram words');
});
