import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { storedZip } from '../../readers/testing/stored-zip.ts';
import { DocumentPipeline } from './document-pipeline.ts';
import { defaultPlan, type PipelinePlan } from './pipeline-plan.ts';
import type { Product } from './product.ts';
import { tryDocument } from './try-document.ts';

async function products(
  name: string,
  content: string | Uint8Array,
  plan: Partial<PipelinePlan> = {},
): Promise<Product[]> {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  const pipeline = new DocumentPipeline({ ...defaultPlan, ...plan });
  const found: Product[] = [];
  const url = `http://site.example/${name}`;
  for await (const product of pipeline.process({ url, name, bytes, lastModified: 951_782_400 }))
    found.push(product);
  return found;
}

/** The values of some attributes of the only summary of a document; '' for none. */
async function read(name: string, content: string | Uint8Array, ...names: readonly string[]) {
  const [summary, ...others] = (await products(name, content)).filter(({ kind }) => kind === 'summary');
  assert.ok(summary?.kind === 'summary' && others.length === 0, name);
  const values = new Map(summary.summary.attributes);
  return names.map((attribute) => values.get(attribute) ?? '');
}

const noise = Uint8Array.from({ length: 3000 }, (_, at) => at * at * 7 + (at >> 3) * 13 + at * 31);

test('a document that the reader of its type refuses is read as markup, else as text', async () => {
  assert.deepEqual(
    await read('a.fb2', '<div>Tide</div>', 'Type', 'Types-Tried', 'Full-Text', 'Summary-Note'),
    ['HTML', 'FictionBook', 'Tide', 'Read as HTML: it could not be read as FictionBook (SyntaxError).'],
  );
  assert.deepEqual(await read('a.json', '-tides of no JSON', 'Type', 'Types-Tried', 'Full-Text'), [
    'Text',
    'JSON',
    '-tides of no JSON',
  ]);
  assert.deepEqual(await read('a.rss', 'tides without a feed', 'Type', 'Types-Tried'), ['Text', 'Feed']);
  assert.deepEqual(await read('a.eml', 'tides', 'Type', 'Types-Tried', 'Full-Text'), [
    'Text',
    'Mail',
    'tides',
  ]);
});

test('a document that no reader takes has its name, size and date, and says what was tried', async () => {
  for (const [name, type] of [
    ['a.docx', 'MSWord'],
    ['a.pdf', 'PDF'],
    ['a.gif', 'Image'],
    ['a.dat', 'Data'],
  ] as const) {
    const facts = ['Title', 'Type', 'File-Size', 'Last-Modification-Time', 'Types-Tried'];
    const [note, ...found] = await read(name, noise, 'Summary-Note', ...facts);
    assert.deepEqual(found, [name, type, '3000', '951782400', type]);
    assert.match(note ?? '', /^Not summarised: /);
  }
  assert.deepEqual(await read('a.html', noise, 'Title', 'Type', 'Types-Tried', 'Summary-Note'), [
    'a.html',
    'Unrecognized',
    'HTML',
    'Not summarised: the content is not HTML.',
  ]);
});

test('a wrapper by name alone that cannot be unpacked is read as text; a broken one is not', async () => {
  const [type, tried, text] = await read('a.shar', 'tides\n', 'Type', 'Types-Tried', 'Full-Text');
  assert.deepEqual([type, tried, text], ['Text', 'ShellArchive', 'tides']);
  assert.deepEqual(await read('a.uu', 'begin 644 x\nno lines of it', 'Type', 'Full-Text'), ['Uuencoded', '']);
});

test('packed bytes under the name of a text or document are unpacked', async () => {
  assert.deepEqual(await read('a.txt', gzipSync('Tide\n'), 'Type', 'Full-Text'), ['Text', 'Tide']);
  assert.deepEqual(await read('a.html', gzipSync('<title>Tide</title>'), 'Type', 'Title'), ['HTML', 'Tide']);
  const archive = storedZip({ 'b.txt': 'tide\n', 'c.html': '<title>Ebb</title>' });
  const inside = await products('a.docx', archive);
  assert.deepEqual(
    inside.map((product) => product.kind === 'summary' && [product.part, product.summary.type]),
    [
      ['b.txt', 'Text'],
      ['c.html', 'HTML'],
    ],
  );
});

test('an allow list and a stop list work on the type by which a document was read', async () => {
  const page = '<!DOCTYPE html><title>Login</title>';
  const rules = async (name: string, content: string, allow: readonly string[]) =>
    (await products(name, content, { selection: { allow } })).map((product) => product.kind);
  assert.deepEqual(await rules('a.pdf', page, ['PDF']), ['left-out']);
  assert.deepEqual(await rules('a.pdf', page, ['HTML']), ['summary']);
  assert.deepEqual(await rules('a.json', '-tides', ['JSON']), ['left-out']);
});

test('a type by a rule of the operator is never refuted', async () => {
  const types = { ...defaultPlan.types, byName: [{ pattern: '\\.tide$', type: 'PDF' }] };
  const [product] = await products('a.tide', 'words of no PDF', { types });
  assert.ok(product?.kind === 'summary');
  assert.equal(product.summary.type, 'PDF');
  assert.match(new Map(product.summary.attributes).get('Summary-Note') ?? '', /^Not summarised: /);
});

test('a document that is cut off gives the parts before its end', async () => {
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';
  const whole = storedZip({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="${relation}" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document ${w}><w:body><w:p><w:r><w:t>Tide words</w:t></w:r></w:p></w:body></w:document>`,
    'word/media/image.png': 'x'.repeat(2000),
  });
  const cut = 'The file is truncated or damaged; the parts before were read.';
  for (const [bytes, note] of [
    [whole, ''],
    [whole.subarray(0, -1500), cut],
  ] as const)
    assert.deepEqual(await read('a.docx', bytes, 'Type', 'Full-Text', 'Types-Tried', 'Summary-Note'), [
      'MSWord',
      'Tide words',
      '',
      note,
    ]);
});

test('one that tries a document reads which reader refused it', async () => {
  const results = async (name: string, bytes: Uint8Array) => {
    const report = await tryDocument({ url: `file:///${name}`, name, bytes }, defaultPlan);
    return report.stages.filter(({ stage }) => stage === 'summarise').map(({ result }) => result);
  };
  assert.deepEqual(await results('a.fb2', Buffer.from('<div>Tide</div>')), [
    '7 attributes as HTML; its reader refused FictionBook',
  ]);
  assert.deepEqual(await results('a.html', Buffer.from('<p>Tide')), ['5 attributes']);
});
