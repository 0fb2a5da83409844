// Summary objects in one LevelDB database per server, with a change log, an expiry order, tombstones and
// fingerprints, so that clients can learn the changes; and `Database`, an ordered key-value store for indexes and
// the like. docs/storage.md lists the rows and the moments when data is synced to disk. Read
// objects/object-store.ts, then changes/object-transaction.ts. database/ is LevelDB, rows/ the rows and their keys,
// sets/ the sums and sketches of sets, changes/ the steps, filtered/ the filtered and standing sets, partitions/
// the copies of sources, check/ the check of all rows, objects/ the store and its data folder.
export {
  deletedObjects,
  isOwn,
  type LoggedChange,
  type ObjectSnapshot,
  type ObjectToStore,
  refreshedObjects,
  type StoredObject,
  type StoreOperation,
  updatedObjects,
} from './changes/index.ts';
export type { CheckFindings, CheckOptions } from './check/index.ts';
export {
  BatchedReads,
  type Database,
  type DatabaseReader,
  damagedTables,
  type KeyRange,
  openDatabase,
  openRenewable,
  type RenewableDatabase,
  readKept,
  replaceFile,
  syncFolder,
  type Write,
  within,
  writeKept,
} from './database/index.ts';
export { storeErrors } from './errors.ts';
export { storeWritten } from './events.ts';
export type { FilteredSnapshot, MembershipEvent, StandingSets, StandingSource } from './filtered/index.ts';
export {
  type CompactedDatabase,
  type DataFolder,
  type DataRole,
  damagedFiles,
  damagedSmallFiles,
  databasesIn,
  dataRoles,
  freeDataFolder,
  type Holder,
  type MendedDatabase,
  mendDatabases,
  nameOfRole,
  ObjectStore,
  objectStoreModel,
  openDataFolder,
  readFolderIdentity,
  readHolder,
  type ServerRole,
  serverRoles,
  signAgain,
  TableWatch,
} from './objects/index.ts';
export { serverOf } from './partitions/index.ts';
export { defaultTombstoneSeconds, defaultTtlSeconds, storeSettings } from './settings.ts';
