import type { KeyRange, Write as PostingWrite } from '../../../store/index.ts';

export type { PostingWrite };

/** Keys from `gte` (or after `gt`) to `lt`, exclusive. Absent bounds are open. */
export type PostingRange = Omit<KeyRange, 'lte'>;

/** Readable rows: as they are now, or of one moment. */
export interface PostingRows {
  get(key: Uint8Array): Promise<Uint8Array | undefined>;
  getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]>;
  entries(range: PostingRange): AsyncIterable<readonly [Uint8Array, Uint8Array]>;
  keys(range: PostingRange): AsyncIterable<Uint8Array>;
}

/** Rows as they were when it was taken, until it is disposed. */
export interface PostingSnapshot extends PostingRows, AsyncDisposable {}

/** The ordered key-value interface for postings, keys by bytes (as `Database`). The engine owns every key. */
export interface PostingDatabase extends PostingRows {
  /** All writes or none, also after a crash. */
  batch(writes: readonly PostingWrite[], options?: { readonly sync?: boolean }): Promise<void>;
  snapshot(): PostingSnapshot;
  /** Free the space of deleted rows in a range, off the main thread. */
  compact(range: { readonly gte: Uint8Array; readonly lt: Uint8Array }): Promise<void>;
}
