import { Index, type StorageInterface } from 'flexsearch';
import { type Postings, resolution } from './posting-codec.ts';

/** FlexSearch's form of a posting list: for each slot, best first, the docnos filed there. */
export type Slots = (number[] | undefined)[];

/** Reads a term's postings from where they are kept. */
export type TermReader = (term: string) => Promise<Postings>;

interface Mounted {
  db: unknown;
  readonly map: Map<string, Slots>;
  readonly ctx: Map<string, unknown>;
  readonly reg: Set<number>;
  commit_task: unknown[];
}

/**
 * FlexSearch's storage interface, as narrow as it is used: `commit` takes the postings made in memory away,
 * `get` brings stored ones back. Deleting by scan, export and tags are never called.
 */
class TermStorage {
  readonly #read: TermReader;
  taken: ReadonlyMap<string, Slots> = new Map();

  constructor(read: TermReader) {
    this.#read = read;
  }

  async mount(index: Mounted): Promise<void> {
    index.db = this;
  }

  async open(): Promise<void> {}
  async close(): Promise<void> {}
  async destroy(): Promise<void> {}
  async clear(): Promise<void> {}

  async commit(index: Mounted): Promise<void> {
    this.taken = new Map(index.map);
    index.map.clear();
    index.ctx.clear();
    index.reg.clear();
    index.commit_task = [];
  }

  /** FlexSearch hands an unresolved answer on as it is: one packed list instead of an array for each slot. */
  async get(term: string): Promise<readonly [Postings]> {
    return [await this.#read(term)];
  }
}

/**
 * One field's FlexSearch `Index` as a posting engine: it files each (term, object) into a slot by impact and hands
 * stored lists back raw; what is stored, deleted, joined and ranked is decided outside. Terms come in ready made, so
 * that nothing is stemmed twice.
 */
export class PostingIndex {
  readonly #storage: TermStorage;
  readonly #index: Index<false, StorageInterface>;
  #mounted: Promise<void> | undefined;
  #terms: string[] = [];
  #slotOf: (at: number) => number = () => 0;

  constructor(read: TermReader) {
    this.#storage = new TermStorage(read);
    this.#index = new Index<false, StorageInterface>({
      tokenize: 'strict',
      resolution,
      commit: false,
      encode: () => this.#terms,
      score: (_terms, _term, at) => this.#slotOf(at),
    });
  }

  /** File an object's distinct terms, each into the slot (0 is best) that `slotOf` gives for its place among them. */
  add(docno: number, terms: string[], slotOf: (at: number) => number): void {
    this.#slotOf = slotOf;
    this.#terms = terms;
    // FlexSearch ignores an object without content; what its encoder makes of this one is `terms`.
    this.#index.add(docno, ' ');
  }

  /** Take everything that was added since the last time: slots by term, docnos in the order they were added. */
  async take(): Promise<ReadonlyMap<string, Slots>> {
    await this.#mount();
    await this.#index.commit();
    const { taken } = this.#storage;
    this.#storage.taken = new Map();
    return taken;
  }

  /** The stored postings of a term. */
  async postings(term: string): Promise<Postings> {
    await this.#mount();
    this.#terms = [term];
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
