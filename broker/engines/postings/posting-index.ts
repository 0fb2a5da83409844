import { Index, type StorageInterface } from 'flexsearch';
import { type Postings, resolution } from '../codecs/posting-codec.ts';

/** Reads the stored postings of a term. */
export type TermReader = (term: string) => Promise<Postings>;

/** The used part of FlexSearch's storage interface: `get` returns stored lists. The rest is never called. */
class TermStorage {
  readonly #read: TermReader;

  constructor(read: TermReader) {
    this.#read = read;
  }

  async mount(index: { db: unknown }): Promise<void> {
    index.db = this;
  }

  async open(): Promise<void> {}
  async close(): Promise<void> {}
  async destroy(): Promise<void> {}
  async clear(): Promise<void> {}
  async commit(): Promise<void> {}

  /** FlexSearch passes an unresolved answer on unchanged: one packed list, not an array for each slot. */
  async get(term: string): Promise<readonly [Postings]> {
    return [await this.#read(term)];
  }
}

/**
 * One field's FlexSearch `Index` over stored postings: it passes a term's list on with its impact slots, raw.
 * Joining and ranking are done outside. Lists are not made by its `add`, which is slow (docs/performance.md).
 */
export class PostingIndex {
  readonly #storage: TermStorage;
  readonly #index: Index<false, StorageInterface>;
  #mounted: Promise<void> | undefined;

  constructor(read: TermReader) {
    this.#storage = new TermStorage(read);
    this.#index = new Index<false, StorageInterface>({
      tokenize: 'strict',
      resolution,
      commit: false,
      encode: (term) => [term],
    });
  }

  async postings(term: string): Promise<Postings> {
    await this.#mount();
    const { result } = await (this.#index.search(term, { resolve: false }) as unknown as Promise<{
      readonly result: readonly [Postings];
    }>);
    return result[0];
  }

  #mount(): Promise<void> {
    this.#mounted ??= this.#index.mount(this.#storage as unknown as StorageInterface);
    return this.#mounted;
  }
}
