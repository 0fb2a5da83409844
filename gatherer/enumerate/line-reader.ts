/** Result for a line longer than the limit, which was skipped. */
export const tooLong = Symbol('a line beyond the limit');

/** Reads lines and blocks of known length from a stream of chunks, one in memory at a time. */
export class LineReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** The next line without its end, which is the byte `separator`; undefined at the end of the stream. */
  async line(maxBytes: number, separator = 0x0a): Promise<Buffer | typeof tooLong | undefined> {
    const parts: Buffer[] = [];
    let length = 0;
    for (;;) {
      const end = this.#chunk.indexOf(separator, this.#at);
      const stop = end < 0 ? this.#chunk.length : end;
      const part = this.#chunk.subarray(this.#at, stop);
      length += part.length;
      if (length <= maxBytes) parts.push(part);
      else parts.length = 0;
      this.#at = end < 0 ? stop : end + 1;
      if (end >= 0 || !(await this.#more())) {
        if (end < 0 && length === 0) return undefined;
        if (length > maxBytes) return tooLong;
        return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
      }
    }
  }

  /** The next `length` bytes; fewer at the end of the stream. */
  async block(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = length; missing > 0; ) {
      if (this.#at >= this.#chunk.length && !(await this.#more())) break;
      const part = this.#chunk.subarray(this.#at, this.#at + missing);
      this.#at += part.length;
      missing -= part.length;
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  async #more(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done) {
      this.#chunk = Buffer.alloc(0);
      this.#at = 0;
      return false;
    }
    this.#chunk = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length);
    this.#at = 0;
    return true;
  }
}
