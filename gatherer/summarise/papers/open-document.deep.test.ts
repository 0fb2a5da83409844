import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ZipParts } from '../../../readers/archives/index.ts';
import { mutated } from '../../../readers/testing/mutated.ts';
import { assertBears, fullText, lacking, testDocument, valuesOf } from '../../testing/made-by-tools.ts';
import { byLibreOffice, byPandoc, libreOfficeWhole, sampleTable } from '../../testing/office-samples.ts';
import { summariseOpenDocument } from './open-document.ts';

test('a text of pandoc, packed and flat: properties, headings, table, note, link', async (t) => {
  const absent = lacking('pandoc', 'soffice');
  if (absent !== false) return t.skip(absent);
  const packed = byPandoc('odt');
  for (const bytes of [packed, byLibreOffice(packed, 'odt', 'fodt')]) {
    const extract = await summariseOpenDocument(testDocument(bytes), fullText);
    const values = valuesOf(extract);
    assert.equal(values.get('Title'), 'Discovery of Things');
    assert.equal(values.get('Author-1'), 'Ann Author');
    assert.equal(values.get('Author-2'), 'Bob Writer');
    assert.equal(values.get('Keywords'), 'harvest, soif');
    assert.equal(values.get('Subject'), 'Resource discovery');
    assert.equal(values.get('Language'), 'en-GB');
    assert.match(values.get('Creation-Date') ?? '', /^\d{4}-\d\d-\d\dT/);
    assert.equal(values.get('Headings'), 'Introduction\nDetails of the matter');
    assert.match(
      values.get('Full-Text') ?? '',
      /naïve and 日本語 text — with a link\. \[A footnote text\.\]$/m,
    );
    assert.match(values.get('Full-Text') ?? '', /^alpha 42\nbeta 43\nFinal paragraph\.$/m);
    assert.deepEqual(extract.references, ['https://example.org/page']);
  }
});

test('a spreadsheet and a presentation of LibreOffice', async (t) => {
  const absent = lacking('pandoc', 'soffice') || libreOfficeWhole;
  if (absent !== false) return t.skip(absent);
  const sheet = await summariseOpenDocument(testDocument(byLibreOffice(sampleTable, 'csv', 'ods')), fullText);
  const cells = valuesOf(sheet);
  assert.equal(cells.get('Sheets'), '1');
  assert.equal(cells.get('Cells'), '6');
  assert.equal(cells.get('Full-Text'), 'doc\nName Amount\nalpha 42\nbeta 43.5');

  const slides = await summariseOpenDocument(
    testDocument(byLibreOffice(byPandoc('pptx'), 'pptx', 'odp')),
    fullText,
  );
  const values = valuesOf(slides);
  assert.equal(values.get('Slides'), '4');
  assert.match(values.get('Headings') ?? '', /^Discovery of Things\nIntroduction/);
  assert.match(values.get('Full-Text') ?? '', /^Straße, naïve/m);
});

test('changed documents are handled', async (t) => {
  const absent = lacking('pandoc');
  if (absent !== false) return t.skip(absent);
  const content = (await (await ZipParts.open(byPandoc('odt'))).read('content.xml')) ?? Buffer.alloc(0);
  const splices = [
    '<text:p>',
    '</text:p>',
    '<text:s text:c="999999999"/>',
    '<!DOCTYPE a [<!ENTITY b "c">]>',
    '&b;',
    '<',
  ];
  await assertBears(summariseOpenDocument, mutated([content], splices), 300);
  await assertBears(summariseOpenDocument, mutated([byPandoc('odt')]), 200);
});
