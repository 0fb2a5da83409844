import type { Entry, EntryStore, EntryWriter } from '../storage/index.ts';

/** Learns of changes after which the store may answer differently. */
export interface StoreWatcher {
  /** An entry under a key was added, changed or removed. */
  changed(key: string): void;
  allChanged(): void;
  /** A response is being stored under a key, until the returned function is called. */
  writing(key: string): () => void;
  /** Resolves when every copy of what changed is dropped; undefined when all are. */
  settled(): Promise<void> | undefined;
}

class WatchedWriter implements EntryWriter {
  readonly #writer: EntryWriter;
  readonly #key: string;
  readonly #watcher: StoreWatcher;
  readonly #done: () => void;

  constructor(writer: EntryWriter, key: string, watcher: StoreWatcher) {
    this.#writer = writer;
    this.#key = key;
    this.#watcher = watcher;
    this.#done = watcher.writing(key);
  }

  get written(): number {
    return this.#writer.written;
  }

  append(chunk: Uint8Array): boolean | Promise<boolean> {
    return this.#writer.append(chunk);
  }

  readBack(offset: number, max: number): Promise<Uint8Array> {
    return this.#writer.readBack(offset, max);
  }

  async commit(): Promise<Entry | undefined> {
    // Its content has been sent to its end: from now on no older response may be sent.
    this.#watcher.changed(this.#key);
    try {
      return await this.#writer.commit();
    } finally {
      this.#watcher.changed(this.#key);
      this.#done();
    }
  }

  abort(): void {
    this.#writer.abort();
    this.#done();
  }
}

/** The same store, which reports every change to the watcher except evictions: those do not change any answer. */
export function watchedStore(store: EntryStore, watcher: StoreWatcher): EntryStore {
  return {
    get largestBytes() {
      return store.largestBytes;
    },
    variants: (key) => store.variants(key),
    has: (key) => store.has(key),
    touch: (entry, times) => store.touch(entry, times),
    hotContent: (entry) => store.hotContent(entry),
    read: (entry, range) => store.read(entry, range),
    write: (options) => {
      const writer = store.write(options);
      return writer && new WatchedWriter(writer, options.key, watcher);
    },
    updateHead: (entry, head) => {
      const made = store.updateHead(entry, head);
      watcher.changed(entry.key);
      return made;
    },
    remove: (entry) => {
      store.remove(entry);
      watcher.changed(entry.key);
    },
    purge: async (target, options) => {
      const report = () => ('url' in target ? watcher.changed(target.url) : watcher.allChanged());
      // Before, so that no removed response is sent, and after, for requests that came in between.
      report();
      try {
        return await store.purge(target, options);
      } finally {
        report();
        await watcher.settled();
      }
    },
    invalidate: async (key) => {
      watcher.changed(key);
      try {
        return await store.invalidate(key);
      } finally {
        watcher.changed(key);
        await watcher.settled();
      }
    },
    top: (order, count) => store.top(order, count),
    keys: () => store.keys(),
    statistics: () => store.statistics(),
    flush: () => store.flush(),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
