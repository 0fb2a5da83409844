// The object store of a server, and the data folder with its identity, lock and databases. Read object-store.ts, then
// data-folder.ts.
export {
  type CompactedDatabase,
  type DataFolder,
  type DataRole,
  dataRoles,
  freeDataFolder,
  type Holder,
  nameOfRole,
  openDataFolder,
  readFolderIdentity,
  readHolder,
  type ServerRole,
  serverRoles,
} from './data-folder.ts';
export {
  damagedFiles,
  damagedSmallFiles,
  databasesIn,
  type MendedDatabase,
  mendDatabases,
} from './mended-databases.ts';
export { ObjectStore, objectStoreModel } from './object-store.ts';
export { signAgain } from './signed-again.ts';
export { TableWatch } from './table-watch.ts';
