import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCpuMs } from '../../../kernel/testing/cpu-time.ts';
import {
  bibliographicFields,
  bibtexEntries,
  referEntries,
  risEntries,
} from '../../../readers/bibliography/index.ts';
import { debianFile, extractOf } from '../../testing/extract-reading.ts';
import { summariseBibliography } from './bibliography.ts';

const bibtex = `Some words. @comment{never @article{x, title={no}}}
@string{hive = "Hive " # "Press"}
@Article{bee96,
  author = {Bee, Maja and {\\'E}milie von Wax and {The Hive, Inc.}},
  title  = "On {B}ees---{\\TeX} \\& more",
  year   = 1996, month = may,
  publisher = hive # ", London",
  keywords = {bees; honey},
  doi = {10.1000/x_1},
}
@book(wax, title={An {unclosed
@misc{last, title = {Last, "quoted"}, url = {http://hive.example/a_b}}
`;

test('BibTeX entries one by one', () => {
  const entries = [...bibtexEntries(bibtex)];
  assert.deepEqual(
    entries.map(({ kind, key }) => [kind, key]),
    [
      ['article', 'x'],
      ['article', 'bee96'],
      ['misc', 'last'],
    ],
  );
  assert.deepEqual(entries[1]?.fields, [
    ['author', 'Maja Bee'],
    ['author', 'Émilie von Wax'],
    ['author', 'Inc. The Hive'],
    ['title', 'On Bees—TeX & more'],
    ['year', '1996'],
    ['month', 'May'],
    ['publisher', 'Hive Press, London'],
    ['keywords', 'bees'],
    ['keywords', 'honey'],
    ['doi', '10.1000/x_1'],
  ]);
  assert.deepEqual(entries[2]?.fields, [
    ['title', 'Last, "quoted"'],
    ['url', 'http://hive.example/a_b'],
  ]);
  assert.deepEqual(bibliographicFields(entries[1] ?? { kind: '', key: '', fields: [] }).slice(0, 4), [
    ['Title', 'On Bees—TeX & more'],
    ['Author-1', 'Maja Bee'],
    ['Author-2', 'Émilie von Wax'],
    ['Author-3', 'Inc. The Hive'],
  ]);
});

test('RIS and refer entries one by one', () => {
  const ris =
    'TY  - JOUR\r\nAU  - Bee, Maja\r\nAU  - Wax, E.\r\nTI  - On bees\r\n and wasps\r\nSP  - 1\r\nEP  - 9\r\nPY  - 1996\r\nER  - \r\n\r\nTY  - BOOK\nT1  - Honey\n';
  assert.deepEqual(
    [...risEntries(ris)],
    [
      {
        kind: 'jour',
        key: '',
        fields: [
          ['author', 'Maja Bee'],
          ['author', 'E. Wax'],
          ['title', 'On bees and wasps'],
          ['pages', '1–9'],
          ['year', '1996'],
        ],
      },
      { kind: 'book', key: '', fields: [['title', 'Honey']] },
    ],
  );
  const refer = '%A Maja Bee\n%T On bees\n  and wasps\n%K bees, honey\n%L bee96\n\n\n%T Wax\n%D 1996\n';
  assert.deepEqual(
    [...referEntries(refer)],
    [
      {
        kind: '',
        key: 'bee96',
        fields: [
          ['author', 'Maja Bee'],
          ['title', 'On bees and wasps'],
          ['keywords', 'bees'],
          ['keywords', 'honey'],
        ],
      },
      {
        kind: '',
        key: '',
        fields: [
          ['title', 'Wax'],
          ['year', '1996'],
        ],
      },
    ],
  );
});

test('a bibliography as one document', async (t) => {
  const one = await extractOf(
    summariseBibliography,
    'x.ris',
    'TY  - BOOK\nTI  - Honey\nAU  - Bee, Maja\nER  - \n',
  );
  assert.equal(one.title, 'Honey');
  assert.equal(one.value('Author'), 'Maja Bee');
  assert.equal(one.value('Format'), 'RIS');
  const bytes = debianFile(t, 'texlive-base', '/usr/share/texlive/texmf-dist/bibtex/bib/base/xampl.bib');
  if (bytes === undefined) return;
  const many = await extractOf(summariseBibliography, 'xampl.bib', bytes);
  assert.equal(many.title, undefined);
  assert.equal(many.value('Entries'), '36');
  assert.match(many.value('Author') ?? '', /^Donald E\. Knuth$/m);
  assert.match(many.value('Author') ?? '', /^Ulrich Ünderwood$/m);
  assert.match(many.value('Headings') ?? '', /^Seminumerical Algorithms$/m);
  assert.equal(many.value('Years'), '1977–1988');
});

test('long white space costs no more than reading it', async () => {
  const spaces = ' '.repeat(300_000);
  await assertCpuMs(3000, () => {
    for (const text of [`@a{${spaces}`, `@a{k,author={${spaces}}}`, `@a{k,keywords={x${spaces}}}`])
      assert.ok([...bibtexEntries(text)].length <= 1);
  });
});

test('titles and abstracts that databases export as HTML are text', async () => {
  for (const [name, source] of [
    [
      'a.bib',
      '@article{a, title={<i>Homo</i> at sea}, abstract={<jats:p>We <jats:bold>model</jats:bold> it.</jats:p>}}',
    ],
    ['a.ris', 'TY  - JOUR\nTI  - <i>Homo</i> at sea\nAB  - <p>We <b>model</b> it.</p>\nER  - \n'],
  ] as const) {
    const found = await extractOf(summariseBibliography, name, source);
    assert.equal(found.title, 'Homo at sea', name);
    assert.equal(found.value('Abstract'), 'We model it.', name);
    assert.doesNotMatch(found.body, /[<>]/, name);
  }
});
