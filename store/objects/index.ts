export {
  type CompactedDatabase,
  type DataFolder,
  type DataRole,
  type Holder,
  openDataFolder,
  readHolder,
} from './data-folder.ts';
export { ObjectStore } from './object-store.ts';
export { objectStoreModel } from './object-store-model.ts';
