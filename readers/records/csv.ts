import { delimitedRows, sniffDelimiter } from '../text/index.ts';
import type { ExplodedRecord } from './record.ts';

const maxColumns = 4096;

/**
 * The rows of a table of comma-, semicolon- or tab-separated values (RFC 4180 and its variants), each as a
 * record named by its number, the header row not counted. The header row names the fields; a column without a
 * name is `column-3`. `bytes` is the row as lines `name: value`.
 */
export function* csvRecords(text: string): Generator<ExplodedRecord> {
  let names: string[] | undefined;
  let number = 0;
  for (const row of delimitedRows(text, sniffDelimiter(text) ?? ',')) {
    if (row.length === 1 && row[0]?.trim() === '') continue;
    const cells = row.slice(0, maxColumns);
    if (names === undefined) {
      names = cells.map((name, index) => name.trim().toLowerCase() || `column-${index + 1}`);
      continue;
    }
    const known = names;
    number++;
    const fields = cells
      .map((value, index) => [known[index] ?? `column-${index + 1}`, value.trim()] as const)
      .filter(([, value]) => value !== '');
    const lines = fields.map(([name, value]) => `${name}: ${value}\n`).join('');
    yield { path: String(number), type: 'Text', bytes: Buffer.from(lines), fields };
  }
}
