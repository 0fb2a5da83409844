// The files of a LevelDB database as they lie on disk: whether what was written is what is there. LevelDB keeps a
// checksum with every block and record and does not look at most of them.
export { type CheckFilesOptions, damagedLog, damagedTables, hasLostCurrent } from './database-files.ts';
