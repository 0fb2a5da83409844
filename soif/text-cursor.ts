import type { SoifPlace } from './errors.ts';
import { byteClasses, LF, WHITE_BYTE } from './syntax.ts';

const nothing = Buffer.alloc(0);

/** The exact byte and line of a reader's position in a text that arrives in chunks. */
export class TextCursor {
  #buffer: Buffer = nothing;
  #at = 0;
  // Offset in the whole text of the buffer's first byte.
  #base = 0;
  #line = 1;
  #lineStart = true;

  /** The bytes that arrived and were not released; positions are indices into them. */
  get buffer(): Buffer {
    return this.#buffer;
  }

  /** The position of the next byte. */
  get at(): number {
    return this.#at;
  }

  /** The position behind the last byte that arrived. */
  get length(): number {
    return this.#buffer.length;
  }

  /** Offset of the next byte in the whole text. */
  get byte(): number {
    return this.#base + this.#at;
  }

  /** Whether only white space lies between the line's beginning and the next byte. */
  get lineStart(): boolean {
    return this.#lineStart;
  }

  /** Add a chunk behind the rest; it is not copied unless a token was cut in two. */
  feed(chunk: Uint8Array): void {
    this.release();
    const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#buffer = this.#buffer.length === 0 ? fresh : Buffer.concat([this.#buffer, fresh]);
  }

  /** Release the consumed bytes. The rest is copied so that it does not keep a large chunk alive. */
  release(): void {
    if (this.#at === 0) return;
    this.#base += this.#at;
    this.#buffer = this.#at === this.#buffer.length ? nothing : Buffer.from(this.#buffer.subarray(this.#at));
    this.#at = 0;
  }

  /** Move to a position at or after this one. */
  consume(to: number): void {
    const buffer = this.#buffer;
    let lines = 0;
    for (let at = this.#at; at < to; at++) if (buffer[at] === LF) lines++;
    this.#line += lines;
    if (to > this.#at) this.#lineStart = false;
    this.#at = to;
  }

  /** Skip white space; false when the input ran out. */
  skipWhite(): boolean {
    const buffer = this.#buffer;
    for (; this.#at < buffer.length; this.#at++) {
      const byte = buffer[this.#at];
      if (((byteClasses[byte as number] as number) & WHITE_BYTE) === 0) return true;
      if (byte !== LF) continue;
      this.#line++;
      this.#lineStart = true;
    }
    return false;
  }

  /** The end of the bytes of a class that begin at `from`; reads at most one byte over `limit`. */
  tokenEnd(wanted: number, limit: number, from = this.#at): number {
    const buffer = this.#buffer;
    const stop = Math.min(buffer.length, from + limit + 1);
    let end = from;
    while (end < stop && ((byteClasses[buffer[end] as number] as number) & wanted) !== 0) end++;
    return end;
  }

  /** The place of a byte at or after this position. */
  placeOf(at: number): SoifPlace {
    let line = this.#line;
    for (let before = this.#at; before < at; before++) if (this.#buffer[before] === LF) line++;
    return { byte: this.#base + at, line };
  }

  /** The text from here to a position, each byte one character. */
  textTo(end: number): string {
    return this.#buffer.toString('latin1', this.#at, end);
  }
}
