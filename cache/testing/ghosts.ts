const ways = 4;
const min = 64;

/**
 * The hashes of the last `limit` evicted entries and of a few older ones; forgetting costs nothing. A hash is
 * in one of four places that follow from it, and the oldest there is replaced: rarely, a hash is forgotten
 * early.
 */
export class Ghosts {
  #hashes = new Uint32Array(min * ways);
  /** The count of evictions when each hash was added; 0 is an empty place. */
  #left = new Uint32Array(min * ways);
  #leavings = 0;

  /** Add a hash; at least the last `limit` shall be known, as far as there is room for them. */
  add(hash: number, limit: number): void {
    if (limit > this.#hashes.length / 2) this.#grow(limit);
    // Counted in 32 bits: after 4 * 10^9 evictions all are forgotten once.
    if (this.#leavings >= 0xffff_fffe) {
      this.#left.fill(0);
      this.#leavings = 0;
    }
    this.#place(hash, ++this.#leavings);
  }

  /** Whether the hash is among the last `limit`; the query removes it. */
  take(hash: number, limit: number): boolean {
    const bucket = this.#bucket(hash);
    for (let at = bucket; at < bucket + ways; at++) {
      const left = this.#left[at] ?? 0;
      if (left === 0 || this.#hashes[at] !== hash) continue;
      this.#left[at] = 0;
      return this.#leavings - left < limit;
    }
    return false;
  }

  #bucket(hash: number): number {
    // Low bits alone may be poor.
    const mixed = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b) >>> 0;
    return (mixed % (this.#hashes.length / ways)) * ways;
  }

  #place(hash: number, left: number): void {
    const bucket = this.#bucket(hash);
    let oldest = bucket;
    for (let at = bucket; at < bucket + ways; at++) {
      if (this.#hashes[at] === hash && this.#left[at] !== 0) {
        oldest = at;
        break;
      }
      if ((this.#left[at] ?? 0) < (this.#left[oldest] ?? 0)) oldest = at;
    }
    this.#hashes[oldest] = hash;
    this.#left[oldest] = left;
  }

  #grow(limit: number): void {
    const hashes = this.#hashes;
    const left = this.#left;
    let length = hashes.length;
    while (length < 2 * limit) length *= 2;
    this.#hashes = new Uint32Array(length);
    this.#left = new Uint32Array(length);
    for (let at = 0; at < hashes.length; at++)
      if (left[at] !== 0) this.#place(hashes[at] ?? 0, left[at] ?? 0);
  }
}
