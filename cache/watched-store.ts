import type { EntryStore, EntryWriter } from './storage/index.ts';

/** Who wants to know when what is stored may answer differently. */
export interface StoreWatcher {
  /** Something under a key is new, other than before, or gone. */
  changed(key: string): void;
  /** Anything may be. */
  allChanged(): void;
}

function watchedWriter(writer: EntryWriter, changed: () => void): EntryWriter {
  return {
    get written() {
      return writer.written;
    },
    append: (chunk) => writer.append(chunk),
    readBack: (offset, max) => writer.readBack(offset, max),
    commit: async () => {
      // Its content has been given out to its end: nothing older is given from now on.
      changed();
      try {
        return await writer.commit();
      } finally {
        changed();
      }
    },
    abort: () => writer.abort(),
  };
}

/** The same store, that tells of every change but evictions: those take nothing from what was given out before. */
export function watchedStore(store: EntryStore, watcher: StoreWatcher): EntryStore {
  return {
    variants: (key) => store.variants(key),
    has: (key) => store.has(key),
    touch: (entry, times) => store.touch(entry, times),
    hotContent: (entry) => store.hotContent(entry),
    read: (entry, range) => store.read(entry, range),
    write: (options) => {
      const writer = store.write(options);
      return writer === undefined ? undefined : watchedWriter(writer, () => watcher.changed(options.key));
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
      }
    },
    invalidate: async (key) => {
      watcher.changed(key);
      try {
        return await store.invalidate(key);
      } finally {
        watcher.changed(key);
      }
    },
    top: (order, count) => store.top(order, count),
    keys: () => store.keys(),
    statistics: () => store.statistics(),
    flush: () => store.flush(),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
