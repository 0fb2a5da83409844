import type { AttributeNote } from '../../../readers/document/index.ts';
import { ColumnProfile } from '../../../readers/tables/index.ts';
import {
  decodeText,
  delimitedRows,
  extractOf,
  fact,
  oneLine,
  sniffDelimiter,
  TextBlocks,
} from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of summaries of tables in text files. */
export const dataTableAttributes: readonly AttributeNote[] = [
  { name: 'Format', what: 'CSV, TSV, or values with another delimiter' },
  { name: 'Rows', what: 'Number of rows without the header' },
  { name: 'Column-Count', what: 'Number of columns' },
  { name: 'Columns', what: 'Name, type and range of each column, one per line' },
  { name: 'Full-Text', what: 'Every row, its values separated by spaces' },
];

const maxColumns = 2000;
const formats: Readonly<Record<string, string>> = {
  ',': 'CSV',
  '\t': 'TSV',
  ';': 'CSV with semicolons',
  '|': 'values separated by |',
};

/** Tables in text files: delimiter and header are guessed. CSV and TSV may have a single column. */
export const summariseDataTable: SyncSummariser = (document, options) => {
  const text = decodeText(document.bytes, document.charset);
  const delimiter = sniffDelimiter(text) ?? (/\.tsv$|\.tab$/i.test(document.name) ? '\t' : ',');
  const blocks = new TextBlocks(options);
  let columns: ColumnProfile[] = [];
  let rows = 0;
  for (const row of delimitedRows(text, delimiter)) {
    if (row.length === 1 && row[0]?.trim() === '') continue;
    // A comment before the table is no row.
    if (columns.length === 0 && row[0]?.startsWith('#') && row.length === 1) continue;
    if (columns.length === 0) {
      const header = looksLikeHeader(row);
      columns = row
        .slice(0, maxColumns)
        .map((name, index) => new ColumnProfile(header && name.trim() !== '' ? name : `column ${index + 1}`));
      if (!header) rows += profile(columns, row);
    } else rows += profile(columns, row);
    if (blocks.open) blocks.add(oneLine(row.join(' ')), 'row');
  }
  const field = [...columns].map((column) => column.describe()).join('\n');
  return extractOf({
    fields: [
      fact('Format', formats[delimiter]),
      fact('Rows', rows),
      fact('Column-Count', columns.length),
      ['Columns', field],
    ],
    blocks,
  });
};

function profile(columns: readonly ColumnProfile[], row: readonly string[]): number {
  for (const [index, column] of columns.entries()) column.add(row[index] ?? '');
  return 1;
}

/** Names are texts, each different; numbers and dates are values. */
function looksLikeHeader(row: readonly string[]): boolean {
  const names = row.map((name) => name.trim()).filter(Boolean);
  if (names.length === 0 || new Set(names).size < names.length) return false;
  return names.every((name) => {
    const column = new ColumnProfile('');
    column.add(name);
    return (column.type === 'text' || /^(?:19|20)\d\d$/.test(name)) && name.length < 200;
  });
}
