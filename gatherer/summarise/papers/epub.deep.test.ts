import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCpuMs } from '../../../kernel/testing/cpu-time.ts';
import { mutated } from '../../../readers/testing/mutated.ts';
import { storedZip } from '../../../readers/testing/stored-zip.ts';
import { assertBears, fullText, lacking, testDocument, valuesOf } from '../../testing/made-by-tools.ts';
import { byPandoc } from '../../testing/office-samples.ts';
import { summariseEpub } from './epub.ts';

test('a book of pandoc: Dublin Core, chapters in order, headings, links out of the book', async (t) => {
  const absent = lacking('pandoc');
  if (absent !== false) return t.skip(absent);
  const book = byPandoc('epub');
  const extract = await summariseEpub(testDocument(book), fullText);
  const values = valuesOf(extract);
  assert.equal(values.get('Title'), 'Discovery of Things');
  assert.equal(values.get('Author-1'), 'Ann Author');
  assert.equal(values.get('Author-2'), 'Bob Writer');
  assert.equal(values.get('Language'), 'en-GB');
  assert.match(values.get('Identifier') ?? '', /^urn:uuid:/);
  assert.equal(values.get('Chapters'), '2');
  assert.equal(values.get('Images'), '0');
  assert.match(values.get('Headings') ?? '', /Introduction\nDetails of the matter$/);
  assert.match(values.get('Full-Text') ?? '', /^Straße, naïve and 日本語 text — with a link\./m);
  assert.deepEqual(extract.references, ['https://example.org/page']);
  const terse = await summariseEpub(testDocument(book), { ...fullText, text: 'none' });
  assert.equal(terse.text, undefined);
  await assertBears(summariseEpub, mutated([book]), 150);
});

test('a chapter of nothing but links takes linear time', async () => {
  const links = Array.from({ length: 49_000 }, (_, at) => `<a href="http://h/${at}">x</a>`);
  const book = storedZip({
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="p.opf"/></rootfiles></container>',
    'p.opf':
      '<package><manifest><item id="c" href="c" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
    c: `<html><body>${links.join(' ')}</body></html>`,
  });
  await assertCpuMs(1200, async () => {
    const { references } = await summariseEpub(testDocument(book), fullText);
    assert.equal(references.length, 49_000);
  });
});
