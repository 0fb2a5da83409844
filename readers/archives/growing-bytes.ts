/** Bytes put together from many small pieces, which would take many times their size as separate arrays. */
export class GrowingBytes {
  #held = new Uint8Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes added so far. */
  get bytes(): Uint8Array {
    return this.#held.subarray(0, this.#length);
  }

  add(piece: Uint8Array): void {
    this.extend(piece.length).set(piece);
  }

  /** Room for `length` more bytes at the end, to be filled at once. */
  extend(length: number): Uint8Array {
    const end = this.#length + length;
    if (end > this.#held.length) {
      const larger = new Uint8Array(Math.max(end, this.#held.length * 2));
      larger.set(this.bytes);
      this.#held = larger;
    }
    const room = this.#held.subarray(this.#length, end);
    this.#length = end;
    return room;
  }
}
