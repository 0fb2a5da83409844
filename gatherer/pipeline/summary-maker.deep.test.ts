import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../../kernel/index.ts';
import { type DocumentInput, summaryTexts } from '../../readers/document/index.ts';
import { summarisedTypes } from '../summarise/by-type.ts';
import { summaryReduced } from '../summarise/events.ts';
import type { Summary } from '../summarise/summariser.ts';
import { summarise } from '../testing/summary-of.ts';

const documentOf = (name: string, content: string | Uint8Array, extra: Partial<DocumentInput> = {}) => ({
  url: `http://site.example/${name}`,
  name,
  bytes: typeof content === 'string' ? Buffer.from(content) : content,
  ...extra,
});

const soifName = /^[A-Za-z0-9_-]+$/;
const loneSurrogate = /\p{Cs}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: none may be stored.
const control = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;

/** Assertions on the summary of any document. */
function assertSound(summary: Summary): void {
  const names = new Set<string>();
  for (const [name, value] of summary.attributes) {
    assert.match(name, soifName);
    assert.ok(!names.has(name), `${name} twice`);
    names.add(name);
    assert.notEqual(value, '', name);
    assert.ok(!control.test(value) && !loneSurrogate.test(value), name);
  }
  for (const name of ['Title', 'Type', 'File-Size', 'MD5']) assert.ok(names.has(name), name);
  for (const url of [...summary.links, ...(summary.canonical === undefined ? [] : [summary.canonical])]) {
    assert.match(url, /^(?:https?|file):/);
    assert.ok(!url.includes('#') && URL.canParse(url), url);
  }
  assert.equal(new Set(summary.links).size, summary.links.length);
}

test('a type without a summariser gets name, type, size, date and MD5', async () => {
  const summary = await summarise(documentOf('old%20one.sit', '\x89PNG', { lastModified: 1_000_000 }));
  assert.deepEqual(summary, {
    type: 'MacCompressed',
    attributes: [
      ['Title', 'old one.sit'],
      ['Type', 'MacCompressed'],
      ['File-Size', '5'],
      ['Last-Modification-Time', '1000000'],
      ['MD5', '5c5e345df649774b98ef2e70ac0a7c7c'],
    ],
    links: [],
    index: true,
    follow: true,
  });
});

test('MD5 is taken from the caller when given, dates that are none are left out', async () => {
  const { attributes } = await summarise(
    documentOf('a.bin', 'x', { md5: 'ab'.repeat(16), lastModified: Number.NaN }),
  );
  const values = new Map(attributes);
  assert.equal(values.get('MD5'), 'ab'.repeat(16));
  assert.equal(values.has('Last-Modification-Time'), false);
});

test('content of another type than its name gets the plain summary, a note and an event', async () => {
  const seen: unknown[] = [];
  const stop = summaryReduced.subscribe((event) => seen.push(event));
  const { attributes } = await summarise(
    documentOf('fake.html', Buffer.from([1, 2, 3, 4, 0, 0, 0, 0, 1, 2])),
  );
  stop();
  const note = 'Not summarised: the content is not HTML.';
  assert.deepEqual(
    attributes.filter(([name]) => name !== 'MD5'),
    [
      ['Title', 'fake.html'],
      ['Type', 'Unrecognized'],
      ['Types-Tried', 'HTML'],
      ['File-Size', '10'],
      ['Summary-Note', note],
    ],
  );
  assert.deepEqual(seen, [{ url: 'http://site.example/fake.html', type: 'Unrecognized', reasons: [note] }]);
});

test('the robots header holds for every type', async () => {
  const { index, follow } = await summarise(documentOf('a.pdf', '%PDF', { robots: 'noindex' }));
  assert.deepEqual({ index, follow }, { index: false, follow: true });
});

test('every type with a summariser copes with an empty document', async () => {
  for (const type of summarisedTypes) {
    const name = { HTML: 'a.html', Markdown: 'a.md' }[type] ?? 'a.txt';
    assertSound(await summarise(documentOf(name, '')));
  }
});

test('an empty document of a binary format has a note; an empty text has none', async () => {
  for (const name of ['a.pdf', 'a.png', 'a.docx', 'a.mp3']) {
    const note = new Map((await summarise(documentOf(name, ''))).attributes).get('Summary-Note');
    assert.equal(note, 'The document is empty: 0 bytes.', name);
  }
  for (const name of ['a.txt', 'a.html', '__init__.py', 'a.csv', 'a.bib', 'README'])
    assert.equal(
      new Map((await summarise(documentOf(name, ''))).attributes).get('Summary-Note'),
      undefined,
      name,
    );
});

const names = ['a.html', 'a.md', 'a.txt', 'README', 'a.xhtml', 'a', ''];
const types = [
  undefined,
  'text/html',
  'text/html; charset=utf-16',
  'text/plain; charset=koi8-r',
  'application/xhtml+xml',
];

test('no bytes make it throw', async () => {
  const fragments = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '<p>',
        '</p>',
        '<a href="',
        '">',
        '<h1>',
        '</h1>',
        '<title>',
        '</title>',
        '&amp;',
        '&#',
        '<svg>',
      ),
      fc.constantFrom(
        '<pre>',
        '<div hidden>',
        '</div>',
        '<meta name=',
        '<base href=',
        '<!--',
        '-->',
        '\n---\n',
        '\0',
      ),
      fc.constantFrom(
        '# ',
        '```\n',
        '[a](',
        ')',
        '[a]: ',
        '![',
        '](',
        '> ',
        '| ',
        '`',
        '**',
        '_',
        '<http:',
        '\r\n\r\n',
      ),
    ),
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fragments.map((parts) => Buffer.from(parts.join(''))),
  );
  await fc.assert(
    fc.asyncProperty(
      bytes,
      fc.constantFrom(...names),
      fc.constantFrom(...types),
      fc.constantFrom(...summaryTexts),
      fc.nat(200),
      async (content, name, contentType, text, maxTextBytes) => {
        const document = documentOf(name, content, contentType === undefined ? {} : { contentType });
        const summary = await summarise(document, { text, maxTextBytes });
        assertSound(summary);
        for (const [attribute, value] of summary.attributes)
          if (attribute.endsWith('-Text')) assert.ok(Buffer.byteLength(value) <= maxTextBytes);
        const notes = new Map(summary.attributes).get('Summary-Note') ?? '';
        assert.ok(!/Error/.test(notes), notes);
      },
    ),
    { numRuns: Number(process.env.GARNER_TEST_RUNS ?? 1000) },
  );
});

const manuals = ['python3.11/html', 'postgresql-doc-15/html', 'git-doc']
  .map((folder) => join('/usr/share/doc', folder))
  .filter((folder) => existsSync(folder));

function* realPages(): Generator<DocumentInput> {
  for (const folder of manuals)
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (path.endsWith('.html')) yield documentOf(basename(path), readFileSync(join(folder, path)));
}

const absent =
  manuals.length < 3 && 'SKIPPED: python3.11-doc, postgresql-doc-15 and git-doc are not all installed';

test('every page of three real manuals gives a title, headings, links and text', {
  skip: absent,
}, async () => {
  let pages = 0;
  let linked = 0;
  for (const page of realPages()) {
    pages++;
    const summary = await summarise(page);
    assertSound(summary);
    const values = new Map(summary.attributes);
    assert.equal(summary.type, 'HTML', page.url);
    assert.notEqual(values.get('Title'), page.name, page.url);
    assert.ok((values.get('Full-Text') ?? '').length > 20, page.url);
    if (values.has('Headings') && summary.links.length > 0) linked++;
    assert.ok(
      !/<\/?(?:p|div|span|code)\b|&(?:amp|lt|gt|#\d+);.*&(?:amp|lt|gt|#\d+);/.test(values.get('Title') ?? ''),
    );
    assert.equal(values.get('Summary-Note'), undefined, page.url);
    assert.ok(!/\u00b6/.test(values.get('Headings') ?? ''), page.url);
  }
  assert.ok(pages > 1900, `${pages} pages`);
  // A few pages of the manuals have no heading.
  assert.ok(linked > 0.98 * pages, `${linked} of ${pages} pages have headings and links`);
});

test('mutated real pages never make it throw', { skip: absent }, async () => {
  const random = seededRandom(19961028);
  const below = (limit: number) => Math.floor(random.next() * limit);
  let tried = 0;
  for (const page of realPages()) {
    if (page.bytes.length > 40_000 || below(4) !== 0) continue;
    let bytes = Buffer.from(page.bytes);
    for (let change = 0; change < 20; change++) {
      const at = below(bytes.length);
      const kind = below(4);
      if (kind === 0) bytes[at] = below(256);
      else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + below(200))]);
      else if (kind === 2)
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(below(bytes.length))]);
      else
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from('<"\0>&\'/-!'.slice(below(9))),
          bytes.subarray(at),
        ]);
      if (bytes.length === 0 || bytes.length > 200_000) bytes = Buffer.from(page.bytes);
    }
    const summary = await summarise({ ...page, bytes });
    assertSound(summary);
    assert.ok(!/Error/.test(new Map(summary.attributes).get('Summary-Note') ?? ''), page.url);
    tried++;
  }
  assert.ok(tried > 200, `${tried} pages`);
});
