// What we keep: summary objects in one LevelDB database per server, with a change log, an expiry order,
// tombstones and fingerprints, so that others can become aware of them; and `Database`, a plain ordered
// key-value door for indexes and the like. docs/storage.md tells the rows and when data is synced to disk.
export {
  deletedObjects,
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
  openDatabase,
  openRenewable,
  type RenewableDatabase,
  replaceFile,
  syncFolder,
  type Write,
  within,
} from './database/index.ts';
export { storeErrors } from './errors.ts';
export { storeWritten } from './events.ts';
export type { FilteredSnapshot, MembershipEvent, StandingSets, StandingSource } from './filtered/index.ts';
export {
  type CompactedDatabase,
  type DataFolder,
  type DataRole,
  type Holder,
  ObjectStore,
  objectStoreModel,
  openDataFolder,
  readHolder,
} from './objects/index.ts';
export { serverOf } from './partitions/index.ts';
export { defaultTombstoneSeconds, defaultTtlSeconds, storeSettings } from './settings.ts';
