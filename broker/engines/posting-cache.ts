/** The least recently used of what was decoded goes first when `maxBytes` are passed. */
export class PostingCache<Value> {
  readonly #maxBytes: number;
  readonly #sizeOf: (value: Value) => number;
  readonly #entries = new Map<string, Value>();
  #bytes = 0;
  /** Goes on where the last one went: a new iterator passes by all that was taken out before. */
  #oldest = this.#entries.keys();

  constructor(maxBytes: number, sizeOf: (value: Value) => number) {
    this.#maxBytes = maxBytes;
    this.#sizeOf = sizeOf;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.delete(key);
    const size = this.#cost(key, value);
    if (size > this.#maxBytes) return;
    this.#entries.set(key, value);
    this.#bytes += size;
    while (this.#bytes > this.#maxBytes) {
      const { value: oldest, done } = this.#oldest.next();
      if (done) this.#oldest = this.#entries.keys();
      else this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= this.#cost(key, value);
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  /** Key, map entry and object headers counted in, roughly. */
  #cost(key: string, value: Value): number {
    return this.#sizeOf(value) + 2 * key.length + 200;
  }
}
