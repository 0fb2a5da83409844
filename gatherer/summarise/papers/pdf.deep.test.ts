import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { onePage, smallPdf } from '../../../readers/testing/small-pdf.ts';
import { fullText, lacking, made, testDocument, valuesOf } from '../../testing/made-by-tools.ts';
import { summarisePdf } from './pdf.ts';

const paper = `.TL
Customized Information Extraction
.AU
Darren Hardy
.AB
Indexing contents helps users locate documents.
.AE
.NH
Introduction
.PP
Transmogrification of incontrovertible internationalisation considerations requires hyphenation at the ends of
extraordinarily overpopulated lines whenever typographical circumstances necessitate it. Files are well-known.
.bp
.PP
Second page.
.bp
.PP
Third page.
.bp
.PP
Fourth page.
`;

test('a paper of groff and Ghostscript: title, pages, abstract, headings, hyphens, running heads', async (t) => {
  const absent = lacking('groff', 'gs');
  if (absent !== false) return t.skip(absent);
  const ps = made(paper, 'paper.ms', '-', 'groff', ['-ms', '-Tps', 'paper.ms']);
  const pdf = made(ps, 'paper.ps', 'paper.pdf', 'gs', [
    '-q',
    '-dSAFER',
    '-dBATCH',
    '-dNOPAUSE',
    '-sDEVICE=pdfwrite',
    '-o',
    'paper.pdf',
    'paper.ps',
  ]);
  const values = valuesOf(await summarisePdf(testDocument(pdf), fullText));
  assert.equal(values.get('Title'), 'Customized Information Extraction');
  assert.equal(values.get('Pages'), '4');
  assert.match(values.get('Creator') ?? '', /^groff version/);
  assert.match(values.get('Producer') ?? '', /Ghostscript/);
  assert.equal(values.get('Abstract'), 'Indexing contents helps users locate documents.');
  assert.match(values.get('Headings') ?? '', /^1\. Introduction$/m);
  const text = values.get('Full-Text') ?? '';
  assert.match(
    text,
    /Transmogrification of incontrovertible internationalisation considerations requires hyphenation at the ends of extraordinarily overpopulated lines whenever typographical circumstances necessitate it\. Files are well-known\./,
  );
  // groff prints "-2-" above the second page and the following ones.
  assert.doesNotMatch(text, /^-\d-$/m);
});

test('encrypted files open with the empty password, locked ones have a note', async (t) => {
  const absent = lacking('qpdf');
  if (absent !== false) return t.skip(absent);
  const plain = onePage('BT /F1 12 Tf 72 700 Td (Secret words here) Tj ET');
  const ways = [
    ['40', '--allow-weak-crypto'],
    ['128', '--allow-weak-crypto'],
    ['128', '--allow-weak-crypto', '--use-aes=y'],
    ['256'],
  ];
  for (const [bits = '', ...more] of ways) {
    const weak = more.filter((option) => option.startsWith('--allow'));
    const own = more.filter((option) => option.startsWith('--use'));
    const args = [...weak, '--encrypt', '', 'owner', bits, ...own, '--', 'a.pdf', 'b.pdf'];
    const values = valuesOf(
      await summarisePdf(testDocument(made(plain, 'a.pdf', 'b.pdf', 'qpdf', args)), fullText),
    );
    assert.equal(values.get('Full-Text'), 'Secret words here', bits);
  }
  const args = ['--encrypt', 'user', 'owner', '256', '--', 'a.pdf', 'b.pdf'];
  const locked = await summarisePdf(testDocument(made(plain, 'a.pdf', 'b.pdf', 'qpdf', args)), fullText);
  assert.deepEqual(locked.notes, ['The document is encrypted and opens only with a password.']);
  assert.equal(locked.text, undefined);
});

test('object streams and compressed cross-references are read', async (t) => {
  const absent = lacking('qpdf');
  if (absent !== false) return t.skip(absent);
  const plain = onePage('BT /F1 12 Tf 72 700 Td (Packed words) Tj ET');
  const packed = made(plain, 'a.pdf', 'b.pdf', 'qpdf', ['--object-streams=generate', 'a.pdf', 'b.pdf']);
  assert.ok(packed.includes('/ObjStm'));
  assert.equal(valuesOf(await summarisePdf(testDocument(packed), fullText)).get('Full-Text'), 'Packed words');
});

test('pages without text have a note', async () => {
  const extract = await summarisePdf(testDocument(onePage('0 0 m 10 10 l S')), fullText);
  assert.deepEqual(extract.notes, ['The pages hold no text, only pictures.']);
  assert.equal(valuesOf(extract).get('Pages'), '1');
});

test('several authors in one value are numbered', async () => {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'];
  const file = smallPdf([...objects, '<< /Author (Ann Author; Bob Writer;) >>'], '/Root 1 0 R /Info 3 0 R');
  const values = valuesOf(await summarisePdf(testDocument(file), fullText));
  assert.deepEqual([values.get('Author-1'), values.get('Author-2')], ['Ann Author', 'Bob Writer']);
});

const manuals = [
  '/usr/share/doc/bzip2/manual.pdf.gz',
  '/usr/share/doc/shared-mime-info/shared-mime-info-spec.pdf',
  '/usr/share/doc/valgrind/valgrind_manual.pdf.gz',
  '/usr/share/doc/libtasn1-doc/libtasn1.pdf',
].filter((path) => existsSync(path));

function wordsOf(text: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const [word] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]{3,}/gu))
    words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

test('the words of Debian’s manuals are those of pdftotext', async (t) => {
  const absent = lacking('pdftotext') || (manuals.length === 0 && 'SKIPPED: install bzip2-doc or valgrind');
  if (absent !== false) return t.skip(absent);
  for (const path of manuals) {
    const file = readFileSync(path);
    const bytes = path.endsWith('.gz') ? gunzipSync(file) : file;
    const peer = execFileSync('pdftotext', ['-', '-'], { input: bytes, maxBuffer: 1 << 28 }).toString();
    const extract = await summarisePdf(testDocument(bytes), { ...fullText, maxTextBytes: 1 << 26 });
    const ours = wordsOf(extract.text?.blocks.map(({ text }) => text).join('\n') ?? '');
    const theirs = wordsOf(peer.replace(/[-\u00ad\u2010]\n/g, ''));
    let common = 0;
    let all = 0;
    for (const [word, count] of theirs) {
      common += Math.min(count, ours.get(word) ?? 0);
      all += count;
    }
    // Running heads are left out here and not there.
    assert.ok(common > 0.95 * all, `${path}: ${common} of ${all}`);
  }
});
