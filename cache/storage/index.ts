// Where responses are kept. entry.ts says what a store promises; without a folder memory-store.ts keeps it all in
// memory. On disk (disk-store.ts) heads and small contents stand one behind the other in segments (segment-log.ts),
// large contents in files of their own, every piece with a check. slot-table.ts is the index: some 70 bytes an entry in
// typed arrays, repeated by a journal that tells each change of a slot and is written anew when it has grown
// (journal.ts). Keys and heads are read from disk and compared, those asked for lately are in memory with their
// contents (lookup.ts, hot-tier.ts), and what was stored last is there as it was written (log-tail.ts). When room is
// needed (room-maker.ts) the eviction policy says who leaves, and the segment that holds least is copied and let go
// (cleaning.ts). A purge is in force at once, as a mark that is compared with every older entry until a sweep has gone
// through the index (purge-marks.ts, sweeping.ts).
export type { ByteRange, Entry, EntryStore, EntryWriter, PurgeTarget } from './model/entry.ts';
export { openEntryStore } from './open-entry-store.ts';
