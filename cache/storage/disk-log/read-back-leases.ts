import type { StoreFile, StoreFiles } from '../files/store-files.ts';

/** More files are not held for readers that may have gone long ago. */
const max = 10_000;

/** Readings that nobody began and nobody will: their files are let go when the collector finds them. */
const abandoned = new FinalizationRegistry<() => void>((release) => release());

/** Call `release` when `holder` is no more; it may have been called before then. */
export function whenCollected(holder: object, release: () => void): void {
  abandoned.register(holder, release);
}

/** Hold a file; what is returned lets go, once. */
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
 * Files held after their response was committed, for those who joined while it was written and read on from there:
 * until the writer is no more, or until room is needed and the entry has left the index.
 */
export class ReadBackLeases {
  readonly #files: StoreFiles;
  /** Those given first first. */
  readonly #leases = new Map<() => void, StoreFile>();

  constructor(files: StoreFiles) {
    this.#files = files;
  }

  /** Hold a file for `holder`; what is returned ends it before the collector does. */
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

  /** Let go of one file whose entry has left; false when there is none. */
  endOne(): boolean {
    for (const [end, file] of this.#leases) {
      if (!file.doomed) continue;
      end();
      return true;
    }
    return false;
  }
}
