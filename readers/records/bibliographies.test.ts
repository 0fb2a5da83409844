import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import { risEntries } from '../bibliography/index.ts';
import { bibtexRecords } from './bibtex.ts';
import { risRecords } from './ris.ts';

const entries = (text: string) => [...bibtexRecords(text)].map(({ path, fields }) => [path, ...fields]);

test('BibTeX: abbreviations, joined parts, nested braces, quotes, parentheses', () => {
  const text = `@string{acm = "Communications of the {ACM}"}
    @STRING(me = {Doe})
    @comment{nothing}
    @preamble{"\\newcommand{\\x}{y}"}
    Text between entries: a@example.org.
    @Article{doe:1999, author = me # ", Jane", title = {A {Nested {Title}}
      over lines}, journal = ACM # { (} # 12 # ")", month = mar, year = 1999 }
    @book(roe, title = "Quotes {"} inside", note = {unknown # parts},)`;
  assert.deepEqual(entries(text), [
    [
      'doe:1999',
      ['entrytype', 'article'],
      ['author', 'Doe, Jane'],
      ['title', 'A {Nested {Title}} over lines'],
      ['journal', 'Communications of the {ACM} (12)'],
      ['month', 'March'],
      ['year', '1999'],
    ],
    ['roe', ['entrytype', 'book'], ['title', 'Quotes {"} inside'], ['note', 'unknown # parts']],
  ]);
});

test('BibTeX: a record’s bytes are a complete entry', () => {
  const [record] = bibtexRecords('@string{j = "Journal"} @article{k, journal = j, title = "T"}');
  const again = [...bibtexRecords(Buffer.from(record?.bytes ?? []).toString())];
  assert.deepEqual(again[0]?.fields, record?.fields);
});

test('BibTeX: an entry without end is dropped, those behind it are read; equal keys are made distinct', () => {
  const text =
    '@article{a, title = {open\n@article{b, title = {B}}\n@article{b, title = {C}}\n@article{, x = 1}';
  assert.deepEqual(entries(text), [
    ['b', ['entrytype', 'article'], ['title', 'B']],
    ['b-2', ['entrytype', 'article'], ['title', 'C']],
    ['3', ['entrytype', 'article'], ['x', '1']],
  ]);
});

test('BibTeX: the example file of BibTeX itself', (t) => {
  const file = '/usr/share/texlive/texmf-dist/bibtex/bib/base/xampl.bib';
  if (!existsSync(file)) return t.skip('SKIPPED: install texlive-base');
  const records = [...bibtexRecords(readFileSync(file, 'latin1'))];
  assert.equal(records.length, 36);
  const full = records.find(({ path }) => path === 'inbook-full');
  assert.deepEqual(full?.fields.slice(0, 3), [
    ['entrytype', 'inbook'],
    ['author', 'Donald E. Knuth'],
    ['title', 'Fundamental Algorithms'],
  ]);
  assert.equal(
    records
      .find(({ path }) => path === 'article-crossref')
      ?.fields.find(([name]) => name === 'crossref')?.[1],
    'WHOLE-JOURNAL',
  );
});

test('BibTeX: a megabyte of entries that never end is read in one go', async () => {
  await assertCpuMs(10_000, () => {
    assert.deepEqual(entries('@article{a, title = {'.repeat(50_000)), []);
    assert.deepEqual(entries('@article{a, title = {\n'.repeat(50_000)), []);
  });
});

test('RIS: tags, values over lines, and a last record without end', () => {
  const text = `TY  - JOUR\r\nID  - known\r\nAU  - Doe, J.\r\nAU  - Roe, R.\r\nTI  - A title\r\n  over lines\r\nER  - \r\n
TY  - BOOK\nTI  - Two\nAN  - a/b\nER  -\nTY  - CHAP\nTI  - Cut`;
  assert.deepEqual(
    [...risRecords(text)].map(({ path, fields }) => [path, ...fields]),
    [
      [
        'known',
        ['ty', 'JOUR'],
        ['id', 'known'],
        ['au', 'Doe, J.'],
        ['au', 'Roe, R.'],
        ['ti', 'A title over lines'],
      ],
      ['a-b', ['ty', 'BOOK'], ['ti', 'Two'], ['an', 'a/b']],
      ['3', ['ty', 'CHAP'], ['ti', 'Cut']],
    ],
  );
});

test('RIS: lines that end in CR alone', () => {
  const [record] = risRecords('TY  - BOOK\rTI  - Tides\rER  - \r');
  assert.deepEqual(record?.fields, [
    ['ty', 'BOOK'],
    ['ti', 'Tides'],
  ]);
  const again = [...risEntries('TY  - BOOK\rTI  - Tides\rER  - \r')];
  assert.deepEqual(again[0]?.fields, [['title', 'Tides']]);
});
