import { Index, type StorageInterface } from 'flexsearch';
import { type Postings, resolution } from '../codecs/posting-codec.ts';

/** Reads the stored postings of a term. */
export type TermReader = (term: string) => Promise<Postings>;

/**
 * The used part of FlexSearch's storage interface: `get` returns stored lists. Adding, deleting by scan,
 * export and tags are never called.
 */
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
 * One field's FlexSearch `Index` over stored postings: it requests a term from its storage and passes the
 * list on with its impact slots, raw. Joining and ranking are done outside. Lists are not made by its `add`,
 * which takes as long as the rest of indexing together (docs/performance.md). Terms arrive finished, so that
 * nothing is stemmed twice.
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

  /** The stored postings of a term. */
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
