import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mutated } from '../../../readers/testing/mutated.ts';
import { assertBears, fullText, lacking, testDocument, valuesOf } from '../../testing/made-by-tools.ts';
import { byLibreOffice, byPandoc } from '../../testing/office-samples.ts';
import { summariseRtf } from './rtf.ts';

const small = String.raw`{\rtf1\ansi\ansicpg1251\uc1{\fonttbl{\f0\fcharset204 Arial;}{\f1\fcharset238 Times;}{\f2\fcharset128 Mincho;}}
{\stylesheet{\s0 Normal;}{\s1\sbasedon0 heading 1;}}{\info{\title The title}{\author A. Author; B. Writer}
{\creatim\yr1994\mo5\dy12\hr9\min7}{\nofpages3}{\doccomm A comment}}
{\header Running head}\pard\s1 First heading\par\pard\s0\f0 \'cf\'f0\'e8\'e2\'e5\'f2 \f1 \'9a\'e8 \f2 \'93\'fa\'96\'7b\par
Caf\u233?\~and \u8364\'80 and \{braces\}{\*\unknown not shown}{\pict 0102}\line next line\par
{\field{\*\fldinst HYPERLINK "http://example.org/x"}{\fldrslt a link}}{\footnote A note.} ends{\v hidden}\par
one\cell two\cell\row}`;

test('information, encodings of fonts, Unicode, headings, fields, notes', async () => {
  const extract = await summariseRtf(testDocument(Buffer.from(small, 'latin1')), fullText);
  assert.equal(extract.title, 'The title');
  const values = valuesOf(extract);
  assert.equal(values.get('Author-1'), 'A. Author');
  assert.equal(values.get('Author-2'), 'B. Writer');
  assert.equal(values.get('Creation-Date'), '1994-05-12T09:07');
  assert.equal(values.get('Description'), 'A comment');
  assert.equal(values.get('Pages'), '3');
  assert.equal(values.get('Headings'), 'First heading');
  assert.deepEqual((values.get('Full-Text') ?? '').split('\n'), [
    'First heading',
    'Привет šč 日本',
    'Café and € and {braces}',
    'next line',
    'a link [A note.] ends',
    'one two',
    'Running head',
  ]);
  assert.deepEqual(extract.references, ['http://example.org/x']);
});

test('documents of pandoc and LibreOffice', async (t) => {
  const absent = lacking('pandoc', 'soffice');
  if (absent !== false) return t.skip(absent);
  for (const bytes of [byPandoc('rtf'), byLibreOffice(byPandoc('docx'), 'docx', 'rtf')]) {
    const extract = await summariseRtf(testDocument(bytes), fullText);
    const values = valuesOf(extract);
    assert.match(values.get('Headings') ?? '', /Introduction\nDetails of the matter$/);
    assert.match(
      values.get('Full-Text') ?? '',
      /Straße, naïve and 日本語 text — with a link\. \[A footnote text\.\]/,
    );
    assert.deepEqual(extract.references, ['https://example.org/page']);
  }
  const values = valuesOf(
    await summariseRtf(testDocument(byLibreOffice(byPandoc('docx'), 'docx', 'rtf')), fullText),
  );
  assert.equal(values.get('Title'), 'Discovery of Things');
  assert.equal(values.get('Keywords'), 'harvest, soif');
});

test('groups a million deep are handled, with a note', async () => {
  const deep = `{\\rtf1 before ${'{'.repeat(1_000_000)}deep${'}'.repeat(1_000_000)} after}`;
  const extract = await summariseRtf(testDocument(Buffer.from(deep)), fullText);
  assert.match(valuesOf(extract).get('Full-Text') ?? '', /^before .*after$/);
  assert.match(extract.notes.join(), /too deeply/);
});

test('no bytes make it throw', async () => {
  const splices = ['{', '}', '\\bin9999999999 ', '\\u-99999 ', "\\'", '\\*', '\\fldinst', '\\uc99999999 '];
  await assertBears(summariseRtf, mutated([Buffer.from(small, 'latin1')], splices), 600);
  await assertBears(summariseRtf, fc.uint8Array({ maxLength: 300 }), 200);
});
