/** The documents that a run has met, one bit for each ordinal of the fetch store. */
export class SeenSet {
  #bits = new Uint8Array(1024);
  #size = 0;

  /** Number of documents. */
  get size(): number {
    return this.#size;
  }

  add(ordinal: number): void {
    const at = ordinal >> 3;
    if (at >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(at + 1, this.#bits.length * 2));
      grown.set(this.#bits);
      this.#bits = grown;
    }
    const [before, bit] = [this.#bits[at] as number, 1 << (ordinal & 7)];
    if ((before & bit) !== 0) return;
    this.#bits[at] = before | bit;
    this.#size++;
  }

  has(ordinal: number): boolean {
    return (((this.#bits[ordinal >> 3] ?? 0) >> (ordinal & 7)) & 1) === 1;
  }
}
