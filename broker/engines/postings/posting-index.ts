import { Index, type StorageInterface } from 'flexsearch';
import { type Postings, resolution } from '../codecs/posting-codec.ts';

/** Reads a term's postings from where they are kept. */
export type TermReader = (term: string) => Promise<Postings>;

/**
 * FlexSearch's storage interface, as narrow as it is used: `get` brings stored lists back. Adding, deleting by scan,
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

  /** FlexSearch hands an unresolved answer on as it is: one packed list instead of an array for each slot. */
  async get(term: string): Promise<readonly [Postings]> {
    return [await this.#read(term)];
  }
}

/**
 * One field's FlexSearch `Index` over stored postings: it asks its storage for a term and hands the list on with
 * its impact slots, raw; joining and ranking are done outside. Lists are not made by its `add`, which takes as long
 * as everything else that indexing does (docs/performance.md). Terms come in ready made, so that nothing is stemmed
 * twice.
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
