// The stores of responses, in memory and on disk. Read model/entry.ts, then disk/disk-store.ts.
// model/: the contract of a store, and shared types.
// memory/: the store in memory.
// disk/: the store on disk: heads and small contents in segments, large contents in their own files.
// disk-index/: its index in typed arrays, with a journal, and the marks of active purges.
// disk-log/: its segments: writing, the last bytes in memory, compaction.
// files/: its files and descriptors.
export type { Entry, EntryStore, EntryStoreOptions, EntryWriter, PurgeTarget } from './model/entry.ts';
export { openEntryStore } from './open-entry-store.ts';
