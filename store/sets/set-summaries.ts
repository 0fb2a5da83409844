import { cellsFor, SetSummary, type ShortId, Sketch } from '../../awareness/index.ts';
import type { Database, Write } from '../database/index.ts';
import {
  batchOfSummary,
  decodeSetChange,
  decodeSummary,
  encodeSetChange,
  encodeSummary,
  journalOfKey,
  keys,
  type SetChange,
} from '../rows/index.ts';

/** The store's own set of objects; every other number is a partition's. */
export const ownSet = 0;

/** Elements in the journal of a set before its sketch is rewritten: replaying them takes some 30 ms. */
const checkpointAfter = 65_536;

interface Loaded {
  summary: SetSummary;
  /** A reader holds the summary and must not see it change: the next change is made to a copy. */
  lent: boolean;
  /** Elements in the journal that the written sketch does not have. */
  journalled: number;
}

/** Reads the elements of a set from its rows. */
export type ElementScan = (set: number) => AsyncIterable<readonly ShortId[]>;

/**
 * The sketches of a store's sets, in memory. A batch records its additions and removals in the journal; from time
 * to time the sketch itself is written and its journal deleted. After a process died, the rest is replayed.
 */
export class SetSummaries {
  readonly #database: Database;
  readonly #scan: ElementScan;
  readonly #held = new Map<number, Loaded>();
  readonly #checkpointAfter: number;
  #batch: number;

  private constructor(database: Database, scan: ElementScan, batch: number, checkpointAfter: number) {
    this.#database = database;
    this.#scan = scan;
    this.#batch = batch;
    this.#checkpointAfter = checkpointAfter;
  }

  /** `journalElements`: max length of a set's journal before its sketch is written. */
  static async open(
    database: Database,
    scan: ElementScan,
    journalElements = checkpointAfter,
  ): Promise<SetSummaries> {
    let batch = 0;
    for await (const key of database.keys(keys.journals())) batch = Math.max(batch, journalOfKey(key).batch);
    for await (const [, value] of database.entries(keys.summaries()))
      batch = Math.max(batch, batchOfSummary(value));
    return new SetSummaries(database, scan, batch, journalElements);
  }

  /** The present sketch of a set of `count` elements, which its holder never sees change. */
  async get(set: number, count: number): Promise<SetSummary> {
    const held = await this.#of(set, count);
    held.lent = true;
    return held.summary;
  }

  /**
   * Write a batch that changes sets, with the rows that the sketches need to follow it: `write` writes it,
   * `countOf` returns the number of elements of a set after it. Sketches that become too short are rebuilt.
   */
  async follow(
    changes: ReadonlyMap<number, SetChange>,
    countOf: (set: number) => number,
    write: (journal: readonly Write[]) => Promise<void>,
  ): Promise<void> {
    // Loaded before the batch is written: a later load would have the batch in it already.
    for (const set of changes.keys()) await this.#of(set, countOf(set));
    await write(this.#note(changes));
    this.#apply(changes);
    // The batch is written in any case; a failed write of sketches is repeated with the next one.
    await this.#tidy(changes.keys(), countOf).catch(() => undefined);
  }

  /** The batch is written: every sketch in memory follows. */
  #apply(changes: ReadonlyMap<number, SetChange>): void {
    this.#batch++;
    for (const [set, { added, removed }] of changes) {
      const held = this.#held.get(set);
      if (held === undefined) continue;
      if (held.lent) held.summary = held.summary.copy();
      held.lent = false;
      for (const id of removed) held.summary.remove(id);
      for (const id of added) held.summary.add(id);
      held.journalled += added.length + removed.length;
    }
  }

  /** Write long journals as sketches on disk, and rebuild sketches that are too short for their sets. */
  async #tidy(sets: Iterable<number>, countOf: (set: number) => number): Promise<void> {
    for (const set of sets) {
      const held = this.#held.get(set);
      if (held === undefined) continue;
      if (held.summary.sketch.length < cellsFor(countOf(set))) {
        await this.#database.batch(await this.forget(set));
        await this.#of(set, countOf(set));
      } else if (held.journalled >= this.#checkpointAfter) await this.#checkpoint(set, held);
    }
  }

  /** The journal rows for a batch with these changes. */
  #note(changes: ReadonlyMap<number, SetChange>): readonly Write[] {
    return [...changes].map(([set, change]) => ({
      type: 'put',
      key: keys.journal(set, this.#batch + 1),
      value: encodeSetChange(change),
    }));
  }

  /** The writes that delete a set's sketch, whose elements were renamed. The next `get` makes a new one. */
  async forget(set: number): Promise<readonly Write[]> {
    this.#held.delete(set);
    const writes: Write[] = [{ type: 'del', key: keys.summary(set) }];
    for await (const key of this.#database.keys(keys.journalOf(set))) writes.push({ type: 'del', key });
    return writes;
  }

  async #of(set: number, count: number): Promise<Loaded> {
    const held = this.#held.get(set);
    if (held !== undefined) return held;
    const row = await this.#database.get(keys.summary(set));
    if (row === undefined) return this.#make(set, count);
    const { summary, batch } = decodeSummary(row);
    const loaded: Loaded = { summary, lent: false, journalled: 0 };
    for await (const [key, value] of this.#database.entries(keys.journalOf(set))) {
      if (journalOfKey(key).batch <= batch) continue;
      const { added, removed } = decodeSetChange(value);
      for (const id of removed) summary.remove(id);
      for (const id of added) summary.add(id);
      loaded.journalled += added.length + removed.length;
    }
    this.#held.set(set, loaded);
    return loaded;
  }

  /** Read the whole set and write its sketch. */
  async #make(set: number, count: number): Promise<Loaded> {
    const summary = new SetSummary(new Sketch(cellsFor(count)));
    for await (const ids of this.#scan(set)) for (const id of ids) summary.add(id);
    const held: Loaded = { summary, lent: false, journalled: 0 };
    this.#held.set(set, held);
    await this.#checkpoint(set, held);
    return held;
  }

  async #checkpoint(set: number, held: Loaded): Promise<void> {
    const writes: Write[] = [
      { type: 'put', key: keys.summary(set), value: encodeSummary(held.summary, this.#batch) },
    ];
    for await (const key of this.#database.keys(keys.journalOf(set))) writes.push({ type: 'del', key });
    await this.#database.batch(writes);
    held.journalled = 0;
  }
}
