// The ordered key-value database on LevelDB, its snapshots and its errors. Read database.ts, then database-faults.ts.
// files/ checks the files of a database: LevelDB stores a checksum with every block and record and does not check
// most of them.
export { BatchedReads } from './batched-reads.ts';
export { bytesOn } from './compaction.ts';
export {
  type Database,
  type DatabaseReader,
  type DatabaseSnapshot,
  type KeyRange,
  openDatabase,
  type Write,
  within,
} from './database.ts';
export { storeFault } from './database-faults.ts';
export { damagedLog, damagedTables, damageIn } from './files/database-files.ts';
export { damagedCopies, readKept, writeKept } from './kept-file.ts';
export { openRenewable, type RenewableDatabase } from './renewable-database.ts';
export { replaceFile, syncFolder } from './replace-file.ts';
export { notHeld, salvage } from './salvage.ts';
