import type { AttributeNote, Field } from '../../../readers/document/index.ts';
import { SqliteFile, type SqliteValue, sqlColumns } from '../../../readers/tables/index.ts';
import {
  beginning,
  extractOf,
  fact,
  keptLines,
  NameList,
  oneLine,
  TextBlocks,
} from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of summaries of SQLite databases. */
export const sqliteAttributes: readonly AttributeNote[] = [
  { name: 'Format', what: 'SQLite 3 with its text encoding' },
  { name: 'Tables', what: 'Each table with its number of rows, one per line' },
  { name: 'Columns', what: 'Each column as table.column with its declared type, one per line' },
  { name: 'Views', what: 'Names of views, one per line' },
  { name: 'Indexes', what: 'Names of indexes that were made by a statement, one per line' },
  { name: 'Triggers', what: 'Names of triggers, one per line' },
  { name: 'Rows', what: 'Number of rows of all tables' },
  { name: 'Pages', what: 'Number of pages and their size' },
  { name: 'Application-Id', what: 'Application id and user version in its header, where set' },
  { name: 'Software', what: 'Version of SQLite that last wrote it' },
  {
    name: 'Full-Text',
    what: 'The statements that made its tables and views, and the texts of the first rows of each table',
  },
];

const maxObjects = 20_000;
const rowsKept = 2000;
const maxRowText = 4000;

/** SQLite databases, read from their bytes: schema, columns, counted rows; truncated ones get a note. */
export const summariseSqlite: SyncSummariser = (document, options) => {
  const file = new SqliteFile(document.bytes);
  const schema = file.table(1, maxObjects);
  const [tables, columns, views, indexes, triggers] = Array.from({ length: 5 }, () => new NameList()) as [
    NameList,
    NameList,
    NameList,
    NameList,
    NameList,
  ];
  const blocks = new TextBlocks(options);
  let rows = 0;
  let whole = schema.whole;
  for (const [type, name, , root, sql] of schema.rows) {
    if (typeof type !== 'string' || typeof name !== 'string') continue;
    // If the type is null, the first column may be a row number; SQLite's own tables are no content.
    if (name.startsWith('sqlite_')) continue;
    if (typeof sql === 'string' && blocks.open && type !== 'index') blocks.add(keptLines(sql), 'pre');
    if (type === 'view') views.add(name);
    else if (type === 'index') indexes.add(name);
    else if (type === 'trigger') triggers.add(name);
    else if (type === 'table') {
      for (const column of sqlColumns(String(sql ?? '')))
        columns.add(`${name}.${column.name}${column.type === '' ? '' : ` ${column.type}`}`);
      if (typeof root !== 'number' || root === 0) tables.add(`${name}: virtual`);
      else {
        const content = file.table(root, options.text === 'none' ? 0 : rowsKept);
        whole &&= content.whole;
        rows += content.count;
        tables.add(`${name}: ${content.count}`);
        for (const row of content.rows) if (blocks.open) blocks.add(rowText(row), 'row');
      }
    }
  }
  const version = file.headerNumber(96);
  const [application, user] = [file.headerNumber(68), file.headerNumber(60)];
  const fields: Field[] = [
    fact('Format', `SQLite 3, ${file.encoding}`),
    tables.field('Tables'),
    columns.field('Columns'),
    views.field('Views'),
    indexes.field('Indexes'),
    triggers.field('Triggers'),
    fact('Rows', rows),
    fact('Pages', `${file.pages} of ${file.pageSize} bytes`),
    fact('Application-Id', application === 0 && user === 0 ? undefined : `${application}, version ${user}`),
    fact(
      'Software',
      version === 0
        ? undefined
        : `SQLite ${Math.floor(version / 1e6)}.${Math.floor(version / 1000) % 1000}.${version % 1000}`,
    ),
  ];
  return extractOf({
    fields,
    blocks,
    notes: whole ? [] : ['Some pages could not be read: counts may be too low.'],
  });
};

function rowText(row: readonly SqliteValue[]): string {
  return oneLine(beginning(row.filter((value) => value !== undefined).join(' '), maxRowText));
}
