import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ZipParts } from '../../../readers/archives/index.ts';
import { mutated } from '../../../readers/testing/mutated.ts';
import { assertBears, fullText, lacking, testDocument, valuesOf } from '../../testing/made-by-tools.ts';
import { byLibreOffice, byPandoc, libreOfficeWhole, sampleTable } from '../../testing/office-samples.ts';
import { summariseMsOffice } from './ms-office.ts';

const withoutTools = lacking('pandoc', 'soffice') || libreOfficeWhole;

test('a Word document of either generation', async (t) => {
  if (withoutTools !== false) return t.skip(withoutTools);
  const docx = byPandoc('docx');
  const doc = byLibreOffice(docx, 'docx', 'doc');
  assert.equal(doc.readUInt32BE(0), 0xd0cf11e0);
  for (const bytes of [docx, doc]) {
    const extract = await summariseMsOffice(testDocument(bytes), fullText);
    const values = valuesOf(extract);
    assert.equal(values.get('Title'), 'Discovery of Things');
    assert.equal(values.get('Author-1'), 'Ann Author');
    assert.equal(values.get('Keywords'), 'harvest, soif');
    assert.equal(values.get('Subject'), 'Resource discovery');
    assert.match(values.get('Creation-Date') ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.match(values.get('Full-Text') ?? '', /^Straße, naïve and 日本語 text — with a link\./m);
    assert.match(values.get('Full-Text') ?? '', /^alpha 42\nbeta 43\nFinal paragraph\.$/m);
    assert.match(values.get('Full-Text') ?? '', /A footnote text\./);
    assert.deepEqual(extract.references, ['https://example.org/page']);
    assert.deepEqual(extract.notes, []);
  }
  const values = valuesOf(await summariseMsOffice(testDocument(docx), fullText));
  assert.equal(values.get('Headings'), 'Discovery of Things\nIntroduction\nDetails of the matter');
});

test('a workbook of either generation', async (t) => {
  if (withoutTools !== false) return t.skip(withoutTools);
  for (const format of ['xlsx', 'xls']) {
    const extract = await summariseMsOffice(
      testDocument(byLibreOffice(sampleTable, 'csv', format)),
      fullText,
    );
    const values = valuesOf(extract);
    assert.equal(values.get('Sheets'), '1', format);
    assert.equal(values.get('Rows'), '3');
    assert.equal(values.get('Cells'), '6');
    assert.equal(values.get('Headings'), 'doc');
    assert.equal(values.get('Full-Text'), 'doc\nName Amount\nalpha 42\nbeta 43.5');
  }
});

test('a presentation of either generation', async (t) => {
  if (withoutTools !== false) return t.skip(withoutTools);
  const pptx = byPandoc('pptx');
  for (const bytes of [pptx, byLibreOffice(pptx, 'pptx', 'ppt')]) {
    const values = valuesOf(await summariseMsOffice(testDocument(bytes), fullText));
    assert.equal(values.get('Title'), 'Discovery of Things');
    assert.equal(values.get('Slides'), '4');
    assert.match(values.get('Headings') ?? '', /Discovery of Things[\s\S]*Notes/);
    assert.match(values.get('Full-Text') ?? '', /^Straße, naïve and 日本語 text — with a link\./m);
    assert.equal((values.get('Full-Text') ?? '').match(/Final paragraph\./g)?.length, 1);
  }
});

test('changed documents are handled', async (t) => {
  if (withoutTools !== false) return t.skip(withoutTools);
  const docx = byPandoc('docx');
  const old = [
    byLibreOffice(docx, 'docx', 'doc'),
    byLibreOffice(sampleTable, 'csv', 'xls'),
    byLibreOffice(byPandoc('pptx'), 'pptx', 'ppt').subarray(0, 60_000),
  ];
  await assertBears(summariseMsOffice, mutated(old, ['\xff\xff\xff\xff', '\xfe\xff\xff\xff']), 400);
  await assertBears(summariseMsOffice, mutated([docx, byPandoc('pptx')]), 150);
});

test('parts that unpack to too many bytes are refused', async () => {
  await assert.rejects(ZipParts.open(Buffer.from('PK\x03\x04 nothing')), { code: 'GATHERER_ZIP_DAMAGED' });
});
