// Where responses are kept: entry.ts says what a store promises, open-entry-store.ts opens one.
export type { ByteRange, Entry, EntryStore, EntryWriter, PurgeTarget } from './entry.ts';
export { type EntryStoreOptions, openEntryStore } from './open-entry-store.ts';
