import { Index, type StorageInterface } from 'flexsearch';
import { resolution, type Slots } from './posting-codec.ts';

/** Reads a term's slots from where they are kept. */
export type SlotReader = (term: string) => Promise<Slots>;

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
class SlotStorage {
  readonly #read: SlotReader;
  taken: ReadonlyMap<string, Slots> = new Map();

  constructor(read: SlotReader) {
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

  get(term: string): Promise<Slots> {
    return this.#read(term);
  }
}

/**
 * One field's FlexSearch `Index` as a posting engine: it files each (term, object) into a slot by impact and hands
 * slots back raw; what is stored, deleted, joined and ranked is decided outside. Terms come in ready made, so that
 * nothing is stemmed twice.
 */
export class PostingIndex {
  readonly #storage: SlotStorage;
  readonly #index: Index<false, StorageInterface>;
  #mounted: Promise<void> | undefined;
  #slotOf: (term: string) => number = () => 0;

  constructor(read: SlotReader = async () => []) {
    this.#storage = new SlotStorage(read);
    this.#index = new Index<false, StorageInterface>({
      tokenize: 'strict',
      resolution,
      commit: false,
      encode: (terms) => terms.split(' '),
      score: (_terms, term) => this.#slotOf(term),
    });
  }

  /** File an object's distinct terms, each into the slot that `slotOf` gives (0 is best). */
  add(docno: number, terms: Iterable<string>, slotOf: (term: string) => number): void {
    this.#slotOf = slotOf;
    this.#index.add(docno, [...terms].join(' '));
  }

  /** Take everything that was added since the last time: slots by term, docnos in the order they were added. */
  async take(): Promise<ReadonlyMap<string, Slots>> {
    await this.#mount();
    await this.#index.commit();
    const { taken } = this.#storage;
    this.#storage.taken = new Map();
    return taken;
  }

  /** The stored slots of a term. */
  async slots(term: string): Promise<Slots> {
    await this.#mount();
    const resolver = await (this.#index.search(term, { resolve: false }) as unknown as Promise<{
      result: Slots;
    }>);
    return resolver.result;
  }

  #mount(): Promise<void> {
    this.#mounted ??= this.#index.mount(this.#storage as unknown as StorageInterface);
    return this.#mounted;
  }
}
