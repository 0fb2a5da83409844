/** A content as it arrives, readable from any byte while it grows. */
export class WrittenChunks {
  #chunks: Uint8Array[] = [];
  /** The offset of each chunk. */
  #starts: number[] = [];
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

  /** The offset of the first byte that is still held. */
  get first(): number {
    return this.#starts[0] ?? this.#bytes;
  }

  /** Up to `max` bytes from `offset` on, within the chunk there. Nothing at the end. */
  readBack(offset: number, max: number): Uint8Array {
    const at = this.#chunkAt(offset);
    const chunk = this.#chunks[at];
    if (chunk === undefined || offset >= this.#bytes || offset < this.first) return new Uint8Array();
    const from = offset - (this.#starts[at] as number);
    return chunk.subarray(from, from + max);
  }

  /** The bytes from `from` to before `end`, without copying. */
  slices(from: number, end: number): Uint8Array[] {
    const slices: Uint8Array[] = [];
    for (let at = from; at < end; ) {
      const slice = this.readBack(at, end - at);
      if (slice.length === 0) break;
      slices.push(slice);
      at += slice.length;
    }
    return slices;
  }

  /** Drop chunks that end before `offset`. */
  dropBefore(offset: number): void {
    let count = 0;
    while (count < this.#chunks.length && (this.#starts[count + 1] ?? this.#bytes) <= offset) count++;
    this.#chunks = this.#chunks.slice(count);
    this.#starts = this.#starts.slice(count);
  }

  /** All of it in one array, if nothing was dropped; with its own memory, so that it keeps no larger buffer alive. */
  join(): Uint8Array {
    const whole = new Uint8Array(new ArrayBuffer(this.#bytes));
    this.#chunks.forEach((chunk, at) => {
      whole.set(chunk, this.#starts[at]);
    });
    return whole;
  }

  #chunkAt(offset: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
