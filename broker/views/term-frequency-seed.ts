import { ObjectTerms } from '../../query/index.ts';
import { decodeObject } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { TermRarity } from './term-rarity.ts';

/** Enough to tell frequent terms from rare ones. */
const sample = 256;

/** Lets the index know how frequent terms are before the first view is defined. */
export class SeedRarity {
  readonly #store: ObjectStore;
  readonly #rarity: TermRarity;
  #done = false;

  constructor(store: ObjectStore, rarity: TermRarity) {
    this.#store = store;
    this.#rarity = rarity;
  }

  /** Read some objects, the first time that it is called. OIDs are hashes: the first ones are a fair sample. */
  async once(): Promise<void> {
    if (this.#done) return;
    this.#done = true;
    await using snapshot = await this.#store.snapshot();
    let left = sample;
    for await (const { oid } of snapshot.scan()) {
      const object = await snapshot.get(oid);
      if (object !== undefined) this.#rarity.note(new ObjectTerms(decodeObject(object.body), new Set()));
      if (--left === 0) return;
    }
  }
}
