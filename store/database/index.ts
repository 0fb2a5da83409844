export { BatchedReads } from './batched-reads.ts';
export {
  type Database,
  type DatabaseReader,
  type DatabaseSnapshot,
  type KeyRange,
  openDatabase,
  type Write,
  within,
} from './database.ts';
export { damagedTables } from './files/database-files.ts';
export { openRenewable, type RenewableDatabase } from './renewable-database.ts';
export { replaceFile, syncFolder } from './replace-file.ts';
