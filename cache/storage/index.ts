// The stores of responses. model/ has the contract of a store (entry.ts) and shared types, memory/ a store in
// memory, disk/ a store on disk, disk-index/ its index and journal, disk-log/ its segments, files/ its files.
// Read model/entry.ts, then disk/disk-store.ts. On disk, heads and small contents are records in segments,
// large contents have their own files, and every piece has a checksum. The index has about 70 bytes an entry
// in typed arrays, and a journal records each change of a slot. Recently requested entries are in memory with
// their contents, and the bytes written last as well. When room is needed the eviction policy chooses
// entries, and the emptiest segment is compacted. A purge is active at once, as a mark that applies to every
// older entry until a sweep has passed over the index.
export type { Entry, EntryStore, EntryWriter, PurgeTarget } from './model/entry.ts';
export { openEntryStore } from './open-entry-store.ts';
