/** The words of a row: everything the index knows of one entry, as it also stands in the journal. */
export const word = {
  hashLow: 0,
  hashHigh: 1,
  /** The number of the file that holds the entry's head; 0 when the slot is free. */
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
  /** Scheme and authority of the key. */
  origin: 13,
} as const;

export const rowWords = 14;

export const flag = {
  /** To be validated before it is used. */
  invalidated: 0x1_0000,
  /** The content has a file of its own. */
  ownFile: 0x2_0000,
} as const;

const highMask = 0xffff;
const twoTo32 = 2 ** 32;

/**
 * The index of a store on disk: rows of words in one typed array, found by 64 bits of a key's hash over a second one
 * (open addressing, linear probing), so that a million entries take some 70 bytes each and no work of the collector.
 */
export class SlotTable {
  #rows = new Uint32Array(rowWords * 64);
  /** Slot + 1; 0 is an empty place. Always a power of two, at most half full. */
  #places = new Uint32Array(128);
  #hits = new Uint32Array(64);
  /** Slots below this were used at least once. */
  #end = 0;
  /** The free slot to use next + 1; each free row holds the one after it. */
  #free = 0;
  #size = 0;

  /** Entries. */
  get size(): number {
    return this.#size;
  }

  /** Every slot in use is below this. */
  get end(): number {
    return this.#end;
  }

  get(slot: number, at: number): number {
    return this.#rows[slot * rowWords + at] as number;
  }

  set(slot: number, at: number, value: number): void {
    this.#rows[slot * rowWords + at] = value;
  }

  /** The row itself, valid until the table grows. */
  row(slot: number): Uint32Array {
    return this.#rows.subarray(slot * rowWords, (slot + 1) * rowWords);
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

  hits(slot: number): number {
    return this.#hits[slot] as number;
  }

  hit(slot: number, times: number): void {
    this.#hits[slot] = Math.min(0xffff_ffff, (this.#hits[slot] as number) + times);
  }

  /** Slots whose key has this hash; more than one under a key with variants. */
  find(low: number, high: number): number[] {
    const found: number[] = [];
    const mask = this.#places.length - 1;
    for (let place = low & mask; ; place = (place + 1) & mask) {
      const slot = (this.#places[place] as number) - 1;
      if (slot === -1) return found;
      if (this.get(slot, word.hashLow) === low && this.get(slot, word.hashHigh) === high) found.push(slot);
    }
  }

  /** Put a row into a free slot and return that. */
  add(row: Uint32Array): number {
    let slot = this.#free - 1;
    if (slot === -1) slot = this.#end;
    else this.#free = this.get(slot, word.hashLow);
    this.put(slot, row);
    return slot;
  }

  /** Put a row into this slot, in place of what is there; a slot not used before makes those below it free. */
  put(slot: number, row: Uint32Array): void {
    this.#grow(slot);
    if (this.isUsed(slot)) this.#unlink(slot);
    for (; this.#end < slot; this.#end++) this.#free = this.#chain(this.#end);
    if (this.#end === slot) this.#end++;
    this.#rows.set(row, slot * rowWords);
    this.#hits[slot] = 0;
    this.#size++;
    this.#link(slot);
  }

  /** Free a slot. */
  release(slot: number): void {
    this.#unlink(slot);
    this.#free = this.#chain(slot);
  }

  /** Find the free slots anew, lowest first: after rows were put and released in another order than `add` gives. */
  rebuildFree(): void {
    this.#free = 0;
    for (let slot = this.#end - 1; slot >= 0; slot--) if (!this.isUsed(slot)) this.#free = this.#chain(slot);
  }

  #chain(slot: number): number {
    this.row(slot).fill(0);
    this.set(slot, word.hashLow, this.#free);
    return slot + 1;
  }

  #link(slot: number): void {
    const mask = this.#places.length - 1;
    let place = this.get(slot, word.hashLow) & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = slot + 1;
  }

  #unlink(slot: number): void {
    const mask = this.#places.length - 1;
    let hole = this.get(slot, word.hashLow) & mask;
    while (this.#places[hole] !== slot + 1) hole = (hole + 1) & mask;
    // Whoever stands after the hole and could not be reached over it moves into it.
    for (let place = (hole + 1) & mask; this.#places[place] !== 0; place = (place + 1) & mask) {
      const home = this.get((this.#places[place] as number) - 1, word.hashLow) & mask;
      if (((place - home) & mask) < ((place - hole) & mask)) continue;
      this.#places[hole] = this.#places[place] as number;
      hole = place;
    }
    this.#places[hole] = 0;
    this.#size--;
  }

  #grow(slot: number): void {
    const capacity = this.#hits.length;
    if (slot >= capacity) {
      let wider = capacity;
      while (wider <= slot) wider *= 2;
      const rows = new Uint32Array(wider * rowWords);
      rows.set(this.#rows);
      this.#rows = rows;
      const hits = new Uint32Array(wider);
      hits.set(this.#hits);
      this.#hits = hits;
    }
    if ((this.#size + 1) * 2 <= this.#places.length) return;
    this.#places = new Uint32Array(this.#places.length * 2);
    for (let used = 0; used < this.#end; used++) if (this.isUsed(used)) this.#link(used);
  }
}
