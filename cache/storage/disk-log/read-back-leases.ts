import type { StoreFile, StoreFiles } from '../files/store-files.ts';

/** The max number of files held for readers, which may have ended long ago. */
const max = 10_000;

/** Releases the files of iterators that were never begun, when they are garbage-collected. */
const abandoned = new FinalizationRegistry<() => void>((release) => release());

/** Call `release` when `holder` is garbage-collected; it may have been called before then. */
export function whenCollected(holder: object, release: () => void): void {
  abandoned.register(holder, release);
}

/** Hold a file; the returned function releases it, once. */
export function pinned(files: StoreFiles, file: StoreFile): () => void {
  let held = true;
  files.pin(file);
  return () => {
    if (!held) return;
    held = false;
    files.unpin(file);
  };
}

/**
 * Files held after their response was committed, for readers that joined during the write: until the writer
 * is garbage-collected, or until room is needed and the entry has left the index.
 */
export class ReadBackLeases {
  readonly #files: StoreFiles;
  /** In the order in which they were given. */
  readonly #leases = new Map<() => void, StoreFile>();

  constructor(files: StoreFiles) {
    this.#files = files;
  }

  /** Hold a file for `holder`; the returned function ends that before the garbage collector does. */
  give(holder: object, file: StoreFile): () => void {
    const unpin = pinned(this.#files, file);
    const end = () => {
      this.#leases.delete(end);
      unpin();
    };
    this.#leases.set(end, file);
    whenCollected(holder, end);
    if (this.#leases.size > max) this.#leases.keys().next().value?.();
    return end;
  }

  /** Release one file whose entry has left; false when there is none. */
  endOne(): boolean {
    for (const [end, file] of this.#leases) {
      if (!file.doomed) continue;
      end();
      return true;
    }
    return false;
  }
}
