/** Content as it comes in, readable from any byte while it grows. */
export class WrittenChunks {
  readonly #chunks: Uint8Array[] = [];
  /** Where each chunk begins. */
  readonly #starts: number[] = [];
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  append(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#starts.push(this.#bytes);
    this.#bytes += chunk.length;
  }

  /** Up to `max` bytes from `offset` on: what the chunk there still has. Nothing at the end. */
  readBack(offset: number, max: number): Uint8Array {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    const chunk = this.#chunks[low];
    if (chunk === undefined || offset >= this.#bytes) return new Uint8Array();
    const from = offset - (this.#starts[low] as number);
    return chunk.subarray(from, from + max);
  }

  /** All of it as one; memory of its own, so that no larger buffer is kept alive by it. */
  join(): Uint8Array {
    const whole = new Uint8Array(new ArrayBuffer(this.#bytes));
    this.#chunks.forEach((chunk, at) => {
      whole.set(chunk, this.#starts[at]);
    });
    return whole;
  }
}
