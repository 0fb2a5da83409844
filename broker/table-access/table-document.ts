import { cutAtWord } from '../../kernel/index.ts';
import type { SqliteValue } from '../../readers/tables/index.ts';
import { delimitedRows, sniffDelimiter } from '../../readers/text/index.ts';
import { Attributes, attributeText, type SummaryObject } from '../../soif/index.ts';

/** One table of a document: cells as text. */
export interface DocumentTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** False when rows are missing, because of a limit or of unreadable pages. */
  readonly whole: boolean;
}

export type TableFormat = 'delimited' | 'sqlite';

const maxRows = 50_000;
const maxCells = 1_000_000;
const maxColumns = 200;
const maxCell = 500;
const maxTables = 100;
const rowsAtOnce = 2_000;

const endings: readonly (readonly [RegExp, TableFormat])[] = [
  [/\.(?:csv|tsv|tab)$/i, 'delimited'],
  [/\.(?:sqlite3?|db3?|gpkg)$/i, 'sqlite'],
];
const formats: readonly (readonly [RegExp, TableFormat])[] = [
  [/^(?:CSV|TSV|values parted)/, 'delimited'],
  [/^SQLite/, 'sqlite'],
];

/** An object's table format, by its `Format` attribute, else by the ending of its URL. */
export function tableFormat(object: SummaryObject): TableFormat | undefined {
  const type = attributeText(object, Attributes.type) ?? 'Data';
  if (type !== 'Data') return undefined;
  const format = attributeText(object, 'Format') ?? '';
  const path = URL.canParse(object.url) ? new URL(object.url).pathname : '';
  const byType = formats.find(([pattern]) => pattern.test(format));
  return (byType ?? endings.find(([pattern]) => pattern.test(path)))?.[1];
}

/** Loads the readers when the first document is read as a table. */
const tableReaders = () => import('../../readers/tables/index.ts');

/** Lets the event loop run while many rows are read. */
const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The tables of a document, up to the limits above. Throws RangeError when there are none. */
export async function readTables(bytes: Uint8Array, format: TableFormat): Promise<readonly DocumentTable[]> {
  return format === 'sqlite' ? sqliteTables(bytes) : [await delimitedTable(bytes)];
}

async function delimitedTable(bytes: Uint8Array): Promise<DocumentTable> {
  const text = decode(bytes);
  const delimiter = sniffDelimiter(text);
  if (delimiter === undefined) throw new RangeError('no delimiter divides its lines into columns');
  let columns: string[] | undefined;
  const rows: string[][] = [];
  let cells = 0;
  let whole = true;
  for (const row of delimitedRows(text, delimiter)) {
    if (row.length === 1 && row[0] === '') continue;
    const shown = row.slice(0, maxColumns).map((cell) => cut(cell));
    if (columns === undefined) {
      columns = shown.map((name, index) => name.trim() || `column ${index + 1}`);
      continue;
    }
    cells += shown.length;
    if (rows.length === maxRows || cells > maxCells) {
      whole = false;
      break;
    }
    rows.push(shown);
    if (rows.length % rowsAtOnce === 0) await pause();
  }
  return { name: 'table', columns: columns ?? [], rows, whole };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

async function sqliteTables(bytes: Uint8Array): Promise<DocumentTable[]> {
  const { SqliteFile, sqlColumns } = await tableReaders();
  const file = new SqliteFile(bytes);
  const found: DocumentTable[] = [];
  let cells = 0;
  for (const [type, name, , root, sql] of file.table(1, 1_000).rows) {
    if (type !== 'table' || typeof name !== 'string' || typeof root !== 'number' || root === 0) continue;
    if (name.startsWith('sqlite_') || found.length === maxTables) continue;
    const columns = sqlColumns(String(sql ?? '')).slice(0, maxColumns);
    const room = Math.max(0, Math.floor((maxCells - cells) / Math.max(1, columns.length)));
    const { rows, count, whole } = file.table(root, Math.min(maxRows, room));
    cells += rows.length * columns.length;
    found.push({
      name: cut(name),
      columns: columns.map((column) => cut(column.name)),
      rows: rows.map((row) => columns.map((_, index) => cut(cellText(row[index])))),
      whole: whole && rows.length >= count,
    });
    await pause();
  }
  if (found.length === 0) throw new RangeError('the database has no table with rows');
  return found;
}

const cellText = (value: SqliteValue) => (value === undefined ? '' : String(value));
const cut = (text: string) => cutAtWord(text, maxCell);
