import type { Attribute } from './summary-object.ts';

const initialBytes = 64 * 1024;
const keptBytes = 1024 * 1024;

/** Collects one object's values into a buffer of exactly their size, so that nothing else stays alive. */
export class ValueArena {
  #bytes = new Uint8Array(initialBytes);
  #used = 0;
  #names: string[] = [];
  #ends: number[] = [];
  #nameBytes = 0;

  /** How many attributes have begun. */
  get count(): number {
    return this.#names.length;
  }

  /** Bytes of names and values so far. */
  get size(): number {
    return this.#used + this.#nameBytes;
  }

  /** Begin an attribute whose value will have `size` bytes. Nothing is reserved: sizes are only claims. */
  begin(name: string, size: number): void {
    this.#names.push(name);
    this.#ends.push(this.#used + size);
    this.#nameBytes += name.length;
  }

  /** Add bytes `from` up to `to` of a chunk to the value begun last. */
  append(chunk: Uint8Array, from: number, to: number): void {
    const needed = this.#used + to - from;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = larger;
    }
    // Below this length a loop is faster than making a view to copy from.
    if (to - from < 48)
      for (let at = from; at < to; at++) this.#bytes[this.#used + at - from] = chunk[at] as number;
    else this.#bytes.set(chunk.subarray(from, to), this.#used);
    this.#used = needed;
  }

  /** The attributes of a finished object; the arena is empty again. */
  take(): Attribute[] {
    const bytes = this.#bytes.slice(0, this.#used);
    const attributes: Attribute[] = [];
    let start = 0;
    for (let at = 0; at < this.#names.length; at++) {
      const end = this.#ends[at] as number;
      attributes.push({
        name: this.#names[at] as string,
        value: new Uint8Array(bytes.buffer, start, end - start),
      });
      start = end;
    }
    this.clear();
    return attributes;
  }

  /** Forget the object in hand. */
  clear(): void {
    if (this.#bytes.length > keptBytes) this.#bytes = new Uint8Array(initialBytes);
    this.#used = 0;
    this.#nameBytes = 0;
    this.#names = [];
    this.#ends = [];
  }
}
