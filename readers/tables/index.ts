// Tables: delimited text one row at a time, SQLite pages once each, headers of array files. The Gatherer
// summarises tables with these readers, and the Broker shows them. Nothing is written. Read
// delimited-text.ts, then sqlite-file.ts.
export { type ArrayFacts, readNetCdf, readNumPy, readParquet } from './array-files.ts';
export { ColumnProfile } from './column-profile.ts';
export { sqlColumns } from './sql-columns.ts';
export { SqliteFile, type SqliteValue } from './sqlite-file.ts';
