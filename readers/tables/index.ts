// Tables as bytes hold them: delimited text one row at a time, SQLite pages once each, and a view of hostile bytes that
// reads nothing outside. Whoever summarises tables and whoever shows them read them here; nothing is written.
export { type ArrayFacts, readNetCdf, readNumPy, readParquet } from './array-files.ts';
export { ColumnProfile } from './column-profile.ts';
export { delimitedRows, sniffDelimiter } from './delimited-text.ts';
export { sqlColumns } from './sql-columns.ts';
export { SqliteFile, type SqliteValue } from './sqlite-file.ts';
