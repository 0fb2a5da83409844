// What we keep: summary objects in one LevelDB database per server, with a change log, an expiry order,
// tombstones and fingerprints, so that others can become aware of them; and `Database`, a plain ordered
// key-value door for indexes and the like. docs/storage.md tells the rows and when data is synced to disk.
export { deletedObjects, refreshedObjects, updatedObjects } from './changed-objects.ts';
export type { CheckFindings, CheckOptions } from './check/index.ts';
export {
  type CompactedDatabase,
  type DataFolder,
  type DataFolderOptions,
  type DataRole,
  type Holder,
  openDataFolder,
  readHolder,
} from './data-folder.ts';
export {
  type Database,
  type DatabaseReader,
  type DatabaseSnapshot,
  type KeyRange,
  openDatabase,
  type Write,
  within,
} from './database.ts';
export { storeErrors } from './errors.ts';
export { storeExpired, storeWritten } from './events.ts';
export { damagedTables } from './files/index.ts';
export type { FilteredSnapshot, MembershipEvent } from './filtered-snapshot.ts';
export { GatheredReads } from './gathered-reads.ts';
export type { LoggedChange, ObjectSnapshot } from './object-snapshot.ts';
export { ObjectStore, type ObjectStoreOptions } from './object-store.ts';
export { objectStoreModel } from './object-store-model.ts';
export type { ObjectToStore } from './object-transaction.ts';
export { serverOf } from './partition-paths.ts';
export { openRenewable, type RenewableDatabase } from './renewable-database.ts';
export { replaceFile, syncFolder } from './replace-file.ts';
export { defaultTombstoneSeconds, defaultTtlSeconds, storeSettings } from './settings.ts';
export type { SetsOf, StandingSets, StandingSource } from './standing-sets.ts';
export type { StepResult, StoredObject, StoreOperation } from './store-step.ts';
