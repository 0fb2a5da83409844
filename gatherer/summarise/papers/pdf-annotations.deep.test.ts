import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { smallPdf, streamObject } from '../../../readers/testing/small-pdf.ts';
import { relationsPart, storedZip } from '../../../readers/testing/stored-zip.ts';
import { defaultPlan } from '../../pipeline/pipeline-plan.ts';
import { tryDocument } from '../../pipeline/try-document.ts';
import { fullText, lacking, testDocument, valuesOf } from '../../testing/made-by-tools.ts';
import { summarisePdf } from './pdf.ts';

/** A page `Form` with annotations and fields; object 5 is the first of `more`. */
const page = (annotations: string, catalog: string, ...more: readonly string[]): Buffer =>
  smallPdf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Annots [${annotations}] /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>`,
    streamObject('BT /F1 12 Tf 72 700 Td (Form) Tj ET'),
    ...more,
  ]);

const linesOf = async (pdf: Buffer) =>
  (valuesOf(await summarisePdf(testDocument(pdf), fullText)).get('Full-Text') ?? '').split('\n').slice(1);

const field = (entries: string) => linesOf(page('', `/AcroForm << /Fields [5 0 R] >>`, `<< ${entries} >>`));

test('filled fields of a form are read: texts, choices, boxes, radio buttons, signatures; no passwords', async () => {
  const cases: readonly (readonly [entries: string, ...lines: string[]])[] = [
    ['/FT /Tx /T (Surname) /V (Miller)', 'Surname: Miller'],
    ['/FT /Tx /T (Text12) /V (bare words)', 'bare words'],
    ['/FT /Tx /T (a[0].b[0]) /TU (Place of birth:) /V (Hamlet)', 'Place of birth: Hamlet'],
    ['/FT /Tx /T (City) /V <FEFF004B00F6006C006E>', 'City: Köln'],
    ['/FT /Tx /T (Code) /Ff 8192 /V (secret)'],
    ['/FT /Tx /T (Empty) /V ()'],
    ['/FT /Ch /T (Port) /V (h) /Opt [[(h) (Harbour)] [(k) (Key)]]', 'Port: Harbour'],
    ['/FT /Ch /T (Fish) /V [(Cod) (Eel)] /Opt [(Cod) (Eel) (Hake)]', 'Fish: Cod, Eel'],
    ['/FT /Btn /T (Member) /V /Yes', 'Member: Yes'],
    ['/FT /Btn /T (Member) /V /Off'],
    [
      '/FT /Btn /T (Ship) /Ff 32768 /V /1 /Opt [(Sail) (Steam)] /Kids [<< /AS /1 >> << /AS /Off >>]',
      'Ship: Steam',
    ],
    ['/FT /Btn /T (Send) /Ff 65536 /V /Yes'],
    ['/FT /Sig /T (Signature) /V << /Name (Ann Author) >>', 'Signature: Ann Author'],
    [
      '/FT /Tx /T (Group) /Kids [<< /T (First) /V (one) >> << /T (Second) /V (two) >>]',
      'First: one',
      'Second: two',
    ],
  ];
  for (const [entries, ...lines] of cases) assert.deepEqual(await field(entries), lines, entries);
});

test('a form of XFA without other values gives the texts of its data', async () => {
  const packet =
    '<xdp><xfa:datasets><xfa:data><form><name>Ann Author</name></form></xfa:data></xfa:datasets></xdp>';
  const pdf = page('', '/AcroForm << /Fields [] /XFA [(datasets) 5 0 R] >>', streamObject(packet));
  assert.deepEqual(await linesOf(pdf), ['Ann Author']);
});

test('notes and comments on pages are read, what links and fields say of themselves is not', async () => {
  const kinds = [
    'Text',
    'FreeText',
    'Highlight',
    'Stamp',
    'Square',
    'FileAttachment',
    'Popup',
    'Link',
    'Widget',
  ];
  const notes = kinds.map((kind) => `<< /Type /Annot /Subtype /${kind} /Contents (${kind} words) >>`);
  const read = ['Text', 'FreeText', 'Highlight', 'Stamp', 'Square', 'FileAttachment'].map(
    (kind) => `${kind} words`,
  );
  assert.deepEqual(await linesOf(page(notes.join(' '), '')), read);
});

test('stamps and fields with no words of their own give what they draw, unless they are hidden', async () => {
  const fonts = '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>';
  const drawing = streamObject('BT /F1 9 Tf (RECEIVED) Tj ET', `/Type /XObject /Subtype /Form ${fonts}`);
  const annotation = (entries: string) =>
    linesOf(page(`<< /Type /Annot /AP << /N 5 0 R >> ${entries} >>`, '', drawing));
  for (const entries of ['/Subtype /Stamp', '/Subtype /Stamp /Contents ()', '/Subtype /Widget /FT /Tx'])
    assert.deepEqual(await annotation(entries), ['RECEIVED'], entries);
  for (const entries of [
    '/Subtype /Stamp /F 2',
    '/Subtype /Link',
    '/Subtype /Widget /FT /Btn',
    '/Subtype /Popup',
  ])
    assert.deepEqual(await annotation(entries), [], entries);
  assert.deepEqual(await annotation('/Subtype /FreeText /Contents (Own words)'), ['Own words']);
});

test('files attached to a PDF, by name or on a page, are documents of their own', async (t) => {
  const absent = lacking('qpdf');
  if (absent !== false) return t.skip(absent);
  const onPage = page(
    '<< /Type /Annot /Subtype /FileAttachment /FS << /F (C:\\\\folder\\\\pinned.txt) /EF << /F 5 0 R >> >> >>',
    '',
    streamObject('pinned words', '/Type /EmbeddedFile'),
  );
  const folder = mkdtempSync(join(tmpdir(), 'garner-attached-'));
  try {
    writeFileSync(join(folder, 'a.pdf'), onPage);
    writeFileSync(join(folder, 'data.csv'), 'a,b\n1,2\n');
    const args = ['a.pdf', '--add-attachment', 'data.csv', '--', '--object-streams=generate', 'b.pdf'];
    execFileSync('qpdf', args, { cwd: folder });
    const bytes = readFileSync(join(folder, 'b.pdf'));
    const { objects, refused } = await tryDocument(
      { url: 'http://h/b.pdf', name: 'b.pdf', bytes },
      defaultPlan,
    );
    assert.deepEqual(
      objects.map(({ url, attributes }) => [
        url,
        attributes.Type,
        attributes.Attachments ?? attributes['Full-Text'],
      ]),
      [
        ['http://h/b.pdf', 'PDF', 'data.csv, pinned.txt'],
        ['http://h/b.pdf#data.csv', 'Data', 'a b\n1 2'],
        ['http://h/b.pdf#pinned.txt', 'Text', 'pinned words'],
      ],
    );
    assert.deepEqual(refused, []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a fault among the attached or embedded files is reported, and the others are read', async () => {
  const packed = deflateSync(Buffer.alloc(65 * 1024 * 1024)).toString('latin1');
  const container = streamObject(packed, '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode');
  const attached = page('', '/Names 9 0 R', container).toString('latin1').replace('startxref', '');
  const read = async (name: string, bytes: Buffer) => {
    const { refused, objects } = await tryDocument({ url: `http://h/${name}`, name, bytes }, defaultPlan);
    const parts = objects.map(({ url }) => url.split('#')[1]);
    return [parts, refused.map(({ part, code }) => [part, code])];
  };
  assert.deepEqual(await read('a.pdf', Buffer.from(attached, 'latin1')), [
    [undefined],
    [['a.pdf', 'UNNEST_BROKEN']],
  ]);
  const bytes = storedZip({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relationsPart(['officeDocument', 'word/document.xml']),
    'word/document.xml': '<w:document><w:p><w:t>words</w:t></w:p></w:document>',
    'word/embeddings/oleObject1.bin': 'no object',
    'word/afchunk.txt': 'chunk words',
  });
  // The header before the object, not that of the directory.
  bytes.write('no', bytes.indexOf('word/embeddings/oleObject1.bin') - 30);
  assert.deepEqual(await read('o.docx', bytes), [
    [undefined, 'afchunk.txt'],
    [['oleObject1.bin', 'UNNEST_BROKEN']],
  ]);
});

test('documents embedded in office documents are documents of their own, tables of charts are not', async () => {
  const inner = storedZip({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relationsPart(['officeDocument', 'word/document.xml']),
    'word/document.xml': '<w:document><w:p><w:t>inner words</w:t></w:p></w:document>',
  });
  const bytes = storedZip({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relationsPart(['officeDocument', 'word/document.xml']),
    'word/document.xml': '<w:document><w:p><w:t>outer words</w:t></w:p></w:document>',
    'word/charts/_rels/chart1.xml.rels': relationsPart(['package', '../embeddings/table.xlsx']),
    'word/embeddings/table.xlsx': inner,
    'word/embeddings/letter.docx': inner,
    'word/embeddings/oleObject1.bin': 'no object',
    'word/afchunk.txt': 'chunk words',
  });
  const of = async (limits: object) => {
    const plan = { ...defaultPlan, unnest: { ...defaultPlan.unnest, limits } };
    const { objects, refused } = await tryDocument({ url: 'http://h/o.docx', name: 'o.docx', bytes }, plan);
    assert.deepEqual(refused, []);
    return objects.map(({ url, attributes }) => [url.slice(9), attributes['Full-Text']]);
  };
  const whole = ['o.docx', 'outer words'];
  assert.deepEqual(await of({}), [
    whole,
    ['o.docx#letter.docx', 'inner words'],
    ['o.docx#afchunk.txt', 'chunk words'],
  ]);
  assert.deepEqual(await of({ maxDepth: 0 }), [whole]);
});
