import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import type { Field } from '../../readers/document/index.ts';
import type { Annotation } from './annotation.ts';
import { importBibliography } from './bibliography-import.ts';
import { annotationErrors } from './errors.ts';
import { importIafa } from './iafa-import.ts';
import { importText } from './imported.ts';
import { asLabelledLines, labelledLines, numberedLines } from './labelled-lines.ts';
import { importLsm } from './lsm-import.ts';
import { importSoif, printAnnotations } from './soif-form.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

async function printed(annotations: readonly Annotation[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of printAnnotations(annotations)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('SOIF with one-line values, as Harvest took annotations', () => {
  const { records, problems } = importSoif(
    bytes(
      '# written by hand\n@FILE { http://x.org/a\nKeywords:\tone, two\nMD5:\tabc\nTitle: A page\n}\n' +
        '@FILE{ http://x.org/b\nAuthor:\tA\nAuthor:\tB\nnonsense\n@FILE { -\nTitle:\tNowhere\n}\n',
    ),
  );
  assert.deepEqual(records, [
    {
      url: 'http://x.org/a',
      fields: [
        ['Keywords', 'one, two'],
        ['Title', 'A page'],
      ],
    },
    {
      url: 'http://x.org/b',
      fields: [
        ['Author-1', 'A'],
        ['Author-2', 'B'],
      ],
    },
  ]);
  assert.deepEqual(
    problems.map(({ record }) => record),
    ['http://x.org/a', 'line 10', 'Nowhere'],
  );
});

const annotations = fc.array(
  fc.record({
    url: fc.nat().map((n) => `http://x.org/${n}`),
    fields: fc.uniqueArray(
      fc.tuple(fc.constantFrom('Title', 'Keywords', 'Class', 'Time-to-Live'), fc.string({ minLength: 1 })),
      { selector: ([name]) => name, minLength: 1 },
    ),
    author: fc.constantFrom('', 'Jo Doe'),
    at: fc.nat(),
  }),
  { minLength: 1, maxLength: 5 },
);

test('annotations exported as SOIF are imported unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(annotations, async (written) => {
      const kept = written.map((each) => ({
        ...each,
        fields: each.fields.map(([name, value]): Field => [name, value.replace(/\s+/g, ' ').trim() || 'x']),
      }));
      const { records, problems } = importSoif(await printed(kept));
      assert.deepEqual(problems, []);
      assert.deepEqual(
        records.map((record) => ({ author: '', ...record })),
        kept,
      );
    }),
  );
});

// The entry that the Linux man-pages project sent with release 6.16.
const manPages = `Begin4
Title:          Linux man-pages
Version:        6.16
Entered-date:   2025-10-29
Description:    Manual pages for GNU/Linux.  This package contains
                manual pages for sections 2, 3, 4, 5, and 7, and
                subsections of those.
Keywords:       man pages
Maintained-by:  Alejandro Colomar <alx@kernel.org>
Primary-site:   http://www.kernel.org/pub/linux/docs/man-pages
                2.7M  man-pages-6.16.tar.gz
Copying-policy: several; the pages are all freely distributable as long as
                nroff source is provided
End
`;

test('an entry of the Linux Software Map describes its first file', () => {
  const { records, problems } = importLsm(`Hello,\n\n${manPages}\n-- \nnobody\n`);
  assert.deepEqual(problems, []);
  assert.deepEqual(records, [
    {
      url: 'http://www.kernel.org/pub/linux/docs/man-pages/man-pages-6.16.tar.gz',
      fields: [
        ['Title', 'Linux man-pages'],
        ['Version', '6.16'],
        ['Entered-Date', '2025-10-29'],
        [
          'Description',
          'Manual pages for GNU/Linux.  This package contains\nmanual pages for sections 2, 3, 4, 5, and 7, and\nsubsections of those.',
        ],
        ['Keywords', 'man pages'],
        ['Maintainer', 'Alejandro Colomar <alx@kernel.org>'],
        ['Primary-Site', 'http://www.kernel.org/pub/linux/docs/man-pages\n2.7M  man-pages-6.16.tar.gz'],
        ['License', 'several; the pages are all freely distributable as long as\nnroff source is provided'],
      ],
    },
  ]);
});

test('sites of the Linux Software Map as they were written in the 1990s', () => {
  const entry = (sites: string) =>
    importLsm(`Begin3\nTitle: x\nAuthor: a@b (A),\n\tc@d (C)\n${sites}\nEnd\n`);
  const urlOf = (sites: string) => entry(sites).records[0]?.url;
  const sunsite = 'Primary-site:\tsunsite.unc.edu /pub/Linux/apps\n\t\t844 x.lsm\n\t\t14k x-1.0.tgz';
  assert.equal(urlOf(sunsite), 'ftp://sunsite.unc.edu/pub/Linux/apps/x-1.0.tgz');
  assert.equal(
    urlOf('Alternate-site: ftp://ftp.cse.unsw.edu.au /pub/users\n 144kB y.tar.gz'),
    'ftp://ftp.cse.unsw.edu.au/pub/users/y.tar.gz',
  );
  assert.equal(urlOf('Primary-site: http://www.jwz.org/xscreensaver/'), 'http://www.jwz.org/xscreensaver/');
  assert.deepEqual(entry(sunsite).records[0]?.fields.slice(1, 3), [
    ['Author-1', 'a@b (A)'],
    ['Author-2', 'c@d (C)'],
  ]);
  assert.deepEqual(entry('Primary-site: none yet').problems, [
    { record: 'x', reason: 'it names no URL of a document' },
  ]);
  assert.deepEqual(importLsm('Begin4\nTitle: cut\n').problems, [
    { record: 'line 1', reason: 'its End is missing' },
  ]);
});

test('an IAFA template describes each of its forms', () => {
  const { records, problems } = importIafa(`Template-Type: DOCUMENT
Title:         Sequencing yeast
               in a cupboard
Author-Name:   Jo Doe
Author-Email:  jo@yeast.example.org
Author-Name:   Al Buck
Keywords:      yeast,
               DNA
Copyright:
Format-v0:     application/postscript
URI-v0:        ftp://ftp.example.org/yeast.ps
Size-v0        18 pages
Format-v1:     text/plain
URI-v1:        <URL:http://www.example.org/yeast.txt>

Template-Type: SITEINFO
Host-Name: ftp.example.org
Type: archive
Description: Papers

Template-Type: USER
Name: Jo Doe
`);
  const common = [
    ['IAFA-Template', 'DOCUMENT'],
    ['Title', 'Sequencing yeast\nin a cupboard'],
    ['Author-1', 'Jo Doe'],
    ['Author-2', 'Al Buck'],
    ['Author-Email', 'jo@yeast.example.org'],
    ['Keywords', 'yeast,\nDNA'],
  ];
  assert.deepEqual(records, [
    {
      url: 'ftp://ftp.example.org/yeast.ps',
      fields: [...common, ['Format', 'application/postscript'], ['Size', '18 pages']],
    },
    { url: 'http://www.example.org/yeast.txt', fields: [...common, ['Format', 'text/plain']] },
    {
      url: 'ftp://ftp.example.org/',
      fields: [
        ['Title', 'ftp.example.org'],
        ['IAFA-Template', 'SITEINFO'],
        ['Host-Name', 'ftp.example.org'],
        ['IAFA-Type', 'archive'],
        ['Description', 'Papers'],
      ],
    },
  ]);
  assert.deepEqual(problems, [{ record: 'Jo Doe', reason: 'it names no URL of a document' }]);
});

test('a ROADS template numbers several authors with -v, and old drafts spell an address in three parts', () => {
  const roads = importIafa(
    'Template-Type: SERVICE\nTitle: T\nURI-v1: http://a.org/\nURI-v2: http://a.org/\nAdmin-Name-v1: A\nAdmin-Name-v2: B\n',
  );
  assert.equal(roads.records.length, 1);
  assert.deepEqual(roads.records[0]?.fields.slice(2), [
    ['Admin-Name-1', 'A'],
    ['Admin-Name-2', 'B'],
  ]);
  const old = importIafa(
    'Template-Type: SOFTWARE\nTitle: T\nAccess-Protocol-v0: Anonymous FTP\nAccess-Host-v0: a.org\nAccess-Path-v0: /p/q\n',
  );
  assert.equal(old.records[0]?.url, 'ftp://a.org/p/q');
});

test('an entry of a bibliography annotates the cited document', () => {
  const entry = (...fields: Field[]) => ({ key: 'k', fields: [['title', 'T'], ...fields] as Field[] });
  const titled = ({ fields }: { readonly fields: readonly Field[] }): Field[] => [
    ['Title', fields[0]?.[1] ?? ''],
  ];
  const urlOf = (...fields: Field[]) => importBibliography([entry(...fields)], titled).records[0]?.url;
  assert.equal(urlOf(['url', 'http://a.org/x']), 'http://a.org/x');
  assert.equal(
    urlOf(['doi', 'https://doi.org/10.1145/1.2'], ['note', 'See http://b.org/.']),
    'http://b.org/',
  );
  assert.equal(urlOf(['doi', 'doi:10.1145/1.2']), 'https://doi.org/10.1145/1.2');
  assert.equal(
    urlOf(['eprint', '2101.00001'], ['archiveprefix', 'arXiv']),
    'https://arxiv.org/abs/2101.00001',
  );
  assert.deepEqual(importBibliography([entry()], titled).problems, [
    { record: 'k', reason: 'it names no URL of a document' },
  ]);
});

const pieces = fc.constantFrom(
  '@FILE { http://x/',
  'Title{3}:\t',
  'Title:',
  '\n',
  '  ',
  '}',
  'Begin4\n',
  'End\n',
  'Template-Type: DOCUMENT\n',
  'URI-v0: http://x/y\n',
  'Primary-site: a.b /c\n',
  'x'.repeat(50),
  '\0',
  '\u00e9',
);

test('no text makes an importer throw', () => {
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(texts, (text) => {
      for (const { records } of [importSoif(bytes(text)), importIafa(text), importLsm(text)])
        for (const { url, fields } of records) assert.ok(url !== '' && fields.length > 0);
    }),
  );
  fc.assert(fc.property(fc.uint8Array(), (raw) => importSoif(raw).records.length >= 0));
});

test('importers are linear in their input, and bounded', async () => {
  const blanks = ' '.repeat(400_000);
  const hostile = [
    `Template-Type: D\nURI: x${blanks}y\nTitle: a${blanks}b\n`,
    `Begin4\nAuthor: a${blanks}b\nPrimary-site: a.b${blanks}/c${blanks}d\nEnd\n`,
    `@FILE { x${blanks}\nTitle:${blanks}x\n}`,
    `Template-Type: D\n${'URI-v1: http://x/y\n'.repeat(30_000)}`,
    `Begin4\n${'x\n'.repeat(200_000)}`,
  ];
  await assertCpuMs(4000, () => {
    for (const text of hostile) for (const read of [importIafa, importLsm]) read(text);
    for (const text of hostile) importSoif(bytes(text));
  });
  assert.throws(() => importText(new Uint8Array(17 * 1024 * 1024)), {
    code: annotationErrors.ANNOTATION_TOO_LARGE.code,
  });
});

test('fields written as lines are read back', () => {
  const name = fc.constantFrom('Title', 'Keywords', 'X-y');
  const line = fc.string({ minLength: 1 }).map((text) => text.replace(/\s+/g, ' ').trim() || 'x');
  const value = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), (fields) => {
      const read = [...labelledLines(numberedLines(asLabelledLines(fields)))];
      assert.deepEqual(
        read.map((each) => ('stray' in each ? each.stray : [each.name, each.value])),
        fields,
      );
    }),
  );
});
