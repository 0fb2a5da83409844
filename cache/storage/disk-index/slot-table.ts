import { inSlices } from '../../../kernel/index.ts';
import { PlaceTable } from './place-table.ts';

/** The words of a row: the index's data of one entry, as in the journal. */
export const word = {
  hashLow: 0,
  hashHigh: 1,
  /** The number of the file with the entry's head; 0 when the slot is free. */
  metaFile: 2,
  metaOffset: 3,
  metaBytes: 4,
  contentFile: 5,
  contentOffset: 6,
  contentLow: 7,
  /** The upper 16 bits of the content's length, and the flags above them. */
  contentHigh: 8,
  serialLow: 9,
  serialHigh: 10,
  /** Purge marks up to this number have been applied. */
  mark: 11,
  /** Two bits for each surrogate key. */
  tags: 12,
  /** Hash of scheme and authority of the key; for a softly purged entry, the second of the purge. */
  origin: 13,
} as const;

export const rowWords = 14;

export const flag = {
  /** To be validated before use; together with `softlyPurged`, stale. */
  invalidated: 0x1_0000,
  /** The content has its own file. */
  ownFile: 0x2_0000,
  /** The row's origin was replaced by the second of a soft purge; 0 means that it was invalidated as well. */
  softlyPurged: 0x4_0000,
} as const;

/** Rows are in pages of this size, so that growing copies nothing. */
const pageBits = 12;
const pageSlots = 1 << pageBits;
const withinPage = pageSlots - 1;

/** Rows per slice between yields to the event loop. */
const slice = 20_000;

const highMask = 0xffff;
const twoTo32 = 2 ** 32;

/**
 * The index of a store on disk: rows of words in typed arrays, found by 64 bits of a key's hash, so that a
 * million entries take about 70 bytes each and cost the garbage collector nothing.
 */
export class SlotTable {
  #pages: Uint32Array[] = [];
  #hits: Uint32Array[] = [];
  readonly #places = new PlaceTable((slot) => this.get(slot, word.hashLow));
  readonly #isUsed = (slot: number) => this.isUsed(slot);
  /** Slots below this were used at least once. */
  #end = 0;
  /** The next free slot + 1; each free row has the one after it. */
  #free = 0;

  get size(): number {
    return this.#places.size;
  }

  /** Every used slot is below this. */
  get end(): number {
    return this.#end;
  }

  get(slot: number, at: number): number {
    return (this.#pages[slot >>> pageBits] as Uint32Array)[(slot & withinPage) * rowWords + at] as number;
  }

  set(slot: number, at: number, value: number): void {
    (this.#pages[slot >>> pageBits] as Uint32Array)[(slot & withinPage) * rowWords + at] = value;
  }

  row(slot: number): Uint32Array {
    const from = (slot & withinPage) * rowWords;
    return (this.#pages[slot >>> pageBits] as Uint32Array).subarray(from, from + rowWords);
  }

  isUsed(slot: number): boolean {
    return slot < this.#end && this.get(slot, word.metaFile) !== 0;
  }

  serial(slot: number): number {
    return this.get(slot, word.serialHigh) * twoTo32 + this.get(slot, word.serialLow);
  }

  contentLength(slot: number): number {
    return (this.get(slot, word.contentHigh) & highMask) * twoTo32 + this.get(slot, word.contentLow);
  }

  hasFlag(slot: number, bits: number): boolean {
    return (this.get(slot, word.contentHigh) & bits) !== 0;
  }

  setFlag(slot: number, bits: number, on: boolean): void {
    const old = this.get(slot, word.contentHigh);
    this.set(slot, word.contentHigh, on ? old | bits : old & ~bits);
  }

  /** Whether it must be validated before any use. */
  isInvalidated(slot: number): boolean {
    return this.hasFlag(slot, flag.invalidated) && this.staleSinceMs(slot) === undefined;
  }

  /** When it was softly purged, in whole seconds; undefined when it was not, or was invalidated as well. */
  staleSinceMs(slot: number): number | undefined {
    if (!this.hasFlag(slot, flag.softlyPurged)) return undefined;
    return this.get(slot, word.origin) * 1000 || undefined;
  }

  /** Invalidate an entry; returns whether that changed anything. */
  invalidate(slot: number): boolean {
    if (this.isInvalidated(slot)) return false;
    if (this.hasFlag(slot, flag.softlyPurged)) this.set(slot, word.origin, 0);
    this.setFlag(slot, flag.invalidated, true);
    return true;
  }

  /** Make an entry stale; returns whether that changed anything. An invalidated or stale entry stays as it is. */
  purgeSoftly(slot: number, atMs: number): boolean {
    if (this.hasFlag(slot, flag.invalidated)) return false;
    this.set(slot, word.origin, Math.max(1, Math.floor(atMs / 1000)));
    this.setFlag(slot, flag.invalidated | flag.softlyPurged, true);
    return true;
  }

  /** Reset the purge state of an entry; `origin` is the word for its key. */
  renew(slot: number, origin: number): void {
    this.set(slot, word.origin, origin);
    this.setFlag(slot, flag.invalidated | flag.softlyPurged, false);
  }

  hits(slot: number): number {
    return (this.#hits[slot >>> pageBits] as Uint32Array)[slot & withinPage] as number;
  }

  hit(slot: number, times: number): void {
    const page = this.#hits[slot >>> pageBits] as Uint32Array;
    const at = slot & withinPage;
    page[at] = Math.min(0xffff_ffff, (page[at] as number) + times);
  }

  /** Slots whose key has this hash; several for a key with variants. */
  find(low: number, high: number): number[] {
    return this.#places.find(
      low,
      (slot) => this.get(slot, word.hashLow) === low && this.get(slot, word.hashHigh) === high,
    );
  }

  /** Put a row into a free slot and return the slot. */
  add(row: Uint32Array): number {
    let slot = this.#free - 1;
    if (slot === -1) slot = this.#end;
    else this.#free = this.get(slot, word.hashLow);
    this.put(slot, row);
    return slot;
  }

  /** Put a row into this slot, in place of its present one; a slot never used before makes those below it free. */
  put(slot: number, row: Uint32Array): void {
    while (this.#pages.length << pageBits <= slot) {
      this.#pages.push(new Uint32Array(pageSlots * rowWords));
      this.#hits.push(new Uint32Array(pageSlots));
    }
    if (this.isUsed(slot)) this.#places.remove(slot);
    for (; this.#end < slot; this.#end++) this.#free = this.#chain(this.#end);
    if (this.#end === slot) this.#end++;
    this.row(slot).set(row);
    (this.#hits[slot >>> pageBits] as Uint32Array)[slot & withinPage] = 0;
    this.#places.add(slot, this.#end, this.#isUsed);
  }

  release(slot: number): void {
    this.#places.remove(slot);
    this.#free = this.#chain(slot);
  }

  /** Rebuild the list of free slots, lowest first, after rows were put and released in another order. */
  async rebuildFree(): Promise<void> {
    this.#free = 0;
    const end = this.#end;
    const look = (at: number) => {
      const slot = end - 1 - at;
      if (!this.isUsed(slot)) this.#free = this.#chain(slot);
    };
    await inSlices(() => end, slice, look);
  }

  #chain(slot: number): number {
    this.row(slot).fill(0);
    this.set(slot, word.hashLow, this.#free);
    return slot + 1;
  }
}
