import type { Filter, Source } from '../../awareness/index.ts';
import { deleteSetRows, keys } from '../rows/index.ts';
import { FilteredSource, type FollowedStore } from './filtered-source.ts';

/** Max stored filters: any client may send a filter of its own. */
export const maxFilters = 64;

/** The filtered sets of a store, by the text of their filter. */
export class FilterTable {
  /** In the order of their last use. */
  readonly #sources = new Map<string, Promise<Source>>();
  readonly #freeNumber: () => Promise<number>;

  constructor(freeNumber: () => Promise<number>) {
    this.#freeNumber = freeNumber;
  }

  /** The filtered set as a source, made if missing. */
  async source(filter: Filter, store: FollowedStore): Promise<Source> {
    const { text } = filter;
    const known = this.#sources.get(text) ?? this.#open(filter, store);
    this.#sources.delete(text);
    this.#sources.set(text, known);
    known.catch(() => this.#sources.delete(text));
    const source = await known;
    await this.#dropOldest(store);
    return source;
  }

  async #open(filter: Filter, store: FollowedStore): Promise<Source> {
    const set = await store.exclusively(async () => {
      const row = await store.database.get(keys.filterName(filter.text));
      if (row !== undefined) return Buffer.from(row).readUInt32BE();
      const number = await this.#freeNumber();
      const value = Buffer.alloc(4);
      value.writeUInt32BE(number);
      await store.database.batch([{ type: 'put', key: keys.filterName(filter.text), value }]);
      return number;
    });
    return new FilteredSource(store, set, filter);
  }

  async #dropOldest(store: FollowedStore): Promise<void> {
    const names: { readonly key: Uint8Array; readonly text: string; readonly set: number }[] = [];
    for await (const [key, value] of store.database.entries(keys.filterNames()))
      names.push({
        key,
        text: Buffer.from(key.buffer, key.byteOffset + 1, key.byteLength - 1).toString(),
        set: Buffer.from(value).readUInt32BE(),
      });
    let over = names.length - maxFilters;
    const used = [...this.#sources.keys()];
    // Filters that were not used since the store was opened are dropped first.
    const age = ({ text }: { readonly text: string }) => used.indexOf(text);
    for (const { key, text, set } of names.toSorted((a, b) => age(a) - age(b))) {
      if (over-- <= 0) return;
      this.#sources.delete(text);
      await store.exclusively(async () => {
        await store.database.batch([{ type: 'del', key }, ...(await store.summaries.forget(set))]);
        await deleteSetRows(store.database, set);
      });
    }
  }
}
