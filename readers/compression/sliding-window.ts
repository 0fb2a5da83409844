import { CorruptData, UnreadVariant } from './corrupt-data.ts';

const firstBytes = 4096;

/** The last output of a Lempel-Ziv decoder; it grows as it is filled and wraps around once it is full. */
export class SlidingWindow {
  readonly #size: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #taken = 0;
  #known = 0;

  /** @throws UnreadVariant when `size` (bytes) is more than `max`. */
  constructor(size: number, max: number) {
    if (size > max) throw new UnreadVariant(`it needs a window of ${size} bytes; the limit is ${max}`);
    this.#size = Math.max(size, 4096);
  }

  /** Bytes that may be referred to. */
  get known(): number {
    return this.#known;
  }

  /** Bytes that were written and not yet taken. */
  get fresh(): number {
    return this.#at - this.#taken;
  }

  /** Bytes that may still be written before the next call of `take`. */
  get room(): number {
    if (this.#at === this.#bytes.length && this.#taken === this.#at) this.#turn();
    return this.#bytes.length - this.#at;
  }

  /** The byte `distance` back, 1 for the last. */
  back(distance: number): number {
    const index = this.#at - distance;
    return this.#bytes[index < 0 ? index + this.#bytes.length : index] as number;
  }

  put(byte: number): void {
    this.#bytes[this.#at++] = byte;
    if (this.#known < this.#size) this.#known++;
  }

  /** Write `length` bytes (no more than `room`) again from `distance` back. */
  repeat(distance: number, length: number): void {
    if (distance > this.#known) throw new CorruptData('it refers to bytes before its beginning');
    const bytes = this.#bytes;
    let to = this.#at;
    let from = to - distance;
    if (from < 0) from += bytes.length;
    for (let left = length; left > 0; left--) {
      bytes[to++] = bytes[from++] as number;
      if (from === bytes.length) from = 0;
    }
    this.#at = to;
    this.#known = Math.min(this.#size, this.#known + length);
  }

  /** Copy `source` into the window, no more than `room`. */
  copy(source: Uint8Array): void {
    this.#bytes.set(source, this.#at);
    this.#at += source.length;
    this.#known = Math.min(this.#size, this.#known + source.length);
  }

  /** A copy of what was written since the last call. */
  take(): Uint8Array {
    const fresh = this.#bytes.slice(this.#taken, this.#at);
    this.#taken = this.#at;
    return fresh;
  }

  /** Clear the history: earlier bytes may not be referred to. */
  reset(): void {
    this.#known = 0;
  }

  #turn(): void {
    if (this.#bytes.length < this.#size) {
      const larger = new Uint8Array(Math.min(this.#size, Math.max(firstBytes, this.#bytes.length * 4)));
      larger.set(this.#bytes);
      this.#bytes = larger;
      return;
    }
    this.#at = 0;
    this.#taken = 0;
  }
}
