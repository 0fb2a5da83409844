import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { delimitedRows, sniffDelimiter } from '../../../readers/text/index.ts';
import {
  assertHolds,
  assertLinear,
  assertSurvives,
  installedFile,
  summarised,
} from '../../testing/summarise-sample.ts';
import { summariseDataTable } from './data-table.ts';

const table =
  'name,born,height,"note, quoted",active\r\nAnn,1970-01-02,1.70,"says ""hi""\r\ntwice",yes\r\nBob,1980-05-06,1.85,,no\r\n';

test('columns with types and ranges', async () => {
  assertHolds(await summarised(summariseDataTable, table, 'x.csv'), {
    Format: 'CSV',
    Rows: '2',
    'Column-Count': '5',
    Columns:
      'name: text, Ann to Bob\nborn: date, 1970-01-02 to 1980-05-06\nheight: number, 1.7 to 1.85\nnote, quoted: text, says "hi" twice\nactive: boolean',
    'Full-Text':
      'name born height note, quoted active\nAnn 1970-01-02 1.70 says "hi" twice yes\nBob 1980-05-06 1.85 no',
  });
});

test('delimiters are guessed, a table may have no header', async () => {
  assertHolds(await summarised(summariseDataTable, '1;2,5\n3;4,5\n', 'x.csv'), {
    Format: 'CSV with semicolons',
    Rows: '2',
    Columns: 'column 1: integer, 1 to 3\ncolumn 2: number, 2.5 to 4.5',
  });
  assertHolds(await summarised(summariseDataTable, 'sep=;\r\nname;height\r\nTide;4,5\r\n', 'x.csv'), {
    Rows: '1',
    Columns: 'name: text, Tide\nheight: number, 4.5',
  });
  assertHolds(await summarised(summariseDataTable, '# made by hand\na\tb\n1\tx y\n', 'x.tsv'), {
    Format: 'TSV',
    Rows: '1',
  });
  assertHolds(await summarised(summariseDataTable, 'name\nAnn\nBob\n', 'x.csv'), {
    'Column-Count': '1',
    Rows: '2',
  });
  assert.equal(sniffDelimiter('no table here\nat all\n'), undefined);
  assert.equal(sniffDelimiter('a|b|c\n1|2|3\n'), '|');
});

test('selected text is whole rows, terse the words of any', async () => {
  const rows = Array.from({ length: 1000 }, (_, row) => `row${row},${row}`);
  const found = await summarised(
    summariseDataTable,
    `name,number\n${rows.join('\n')}\n`,
    'x.csv',
    'selected',
  );
  assert.equal(found.get('Rows'), '1000');
  const kept = found.get('Partial-Text')?.split('\n') ?? [];
  assert.ok(kept.length > 20 && kept.length < 500, `${kept.length} rows`);
  for (const row of kept.slice(1)) assert.match(row, /^row(\d+) \1$/);
});

test('a table of the system', async (t) => {
  const bytes = installedFile(t, '/usr/share/distro-info/debian.csv', 'distro-info-data');
  if (bytes === undefined) return;
  const found = await summarised(summariseDataTable, bytes, 'debian.csv');
  assert.match(found.get('Columns') ?? '', /^version: number, .*\ncodename: text, Bo to Woody\n/);
});

test('rows are read back unchanged (RFC 4180)', () => {
  const field = fc.string({ maxLength: 20 });
  fc.assert(
    fc.property(
      fc.array(fc.array(field, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 8 }),
      (rows) => {
        const text = rows
          .map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
          .join('\r\n');
        assert.deepEqual([...delimitedRows(text, ',')], rows);
      },
    ),
  );
});

test('no table is too strange or too slow', async () => {
  await assertSurvives(summariseDataTable, [Buffer.from(table)], 'x.csv');
  await assertLinear(summariseDataTable, [',', '"', '""', 'a\n', '"a",', '\n', ';,\t|'], 'x.csv');
});
