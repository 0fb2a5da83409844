// Documents of objects (delimited text, SQLite) read as tables: their columns, and rows by condition. Read
// table-question.ts, then table-reader.ts.
export { tableFormat } from './table-document.ts';
export type { TableQuestion } from './table-question.ts';
export { TableReader } from './table-reader.ts';
