import type { Entry, EntryStore, EntryWriter } from '../storage/index.ts';

/** Who wants to know when what is stored may answer differently. */
export interface StoreWatcher {
  /** Something under a key is new, other than before, or gone. */
  changed(key: string): void;
  /** Anything may be. */
  allChanged(): void;
  /** Something is being stored under a key, until the returned is called. */
  writing(key: string): () => void;
  /** Resolves when everybody has taken note of what changed; undefined when all have. */
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
    // Its content has been given out to its end: nothing older is given from now on.
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

/** The same store, that tells of every change but evictions: those take nothing from what was given out before. */
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
      const tell = () => ('url' in target ? watcher.changed(target.url) : watcher.allChanged());
      // Before, so that nothing is given that the store already forgets, and after, for what was asked for meanwhile.
      tell();
      try {
        return await store.purge(target, options);
      } finally {
        tell();
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
