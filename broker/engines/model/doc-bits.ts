/** A set of docnos, one bit each. */
export class DocBits {
  readonly #bits: Uint32Array;
  readonly #size: number;

  /** An empty set of docnos below `size`. */
  constructor(size: number) {
    this.#size = size;
    this.#bits = new Uint32Array((size + 31) >>> 5);
  }

  add(docno: number): void {
    if (docno < this.#size)
      this.#bits[docno >>> 5] = (this.#bits[docno >>> 5] as number) | (1 << (docno & 31));
  }

  has(docno: number): boolean {
    return docno < this.#size && ((this.#bits[docno >>> 5] as number) & (1 << (docno & 31))) !== 0;
  }

  copy(): DocBits {
    const copy = new DocBits(this.#size);
    copy.#bits.set(this.#bits);
    return copy;
  }

  intersect(other: DocBits): void {
    for (let at = 0; at < this.#bits.length; at++)
      this.#bits[at] = (this.#bits[at] as number) & (other.#bits[at] as number);
  }

  unite(other: DocBits): void {
    for (let at = 0; at < this.#bits.length; at++)
      this.#bits[at] = (this.#bits[at] as number) | (other.#bits[at] as number);
  }

  subtract(other: DocBits): void {
    for (let at = 0; at < this.#bits.length; at++)
      this.#bits[at] = (this.#bits[at] as number) & ~(other.#bits[at] as number);
  }

  /** The docnos, ascending. */
  docnos(): Uint32Array {
    const found: number[] = [];
    for (let at = 0; at < this.#bits.length; at++)
      for (let rest = this.#bits[at] as number; rest !== 0; rest &= rest - 1)
        found.push(at * 32 + 31 - Math.clz32(rest & -rest));
    return Uint32Array.from(found);
  }
}
