interface Entry<Value> {
  readonly value: Value;
  readonly cost: number;
  /** Asked for since it was last passed by. */
  used: boolean;
}

/**
 * Keeps what was decoded, at most `maxBytes` of it: what was not asked for goes first (the clock algorithm: asking moves
 * nothing).
 */
export class PostingCache<Value, Key extends string | number = string> {
  readonly #maxBytes: number;
  readonly #sizeOf: (value: Value) => number;
  readonly #entries = new Map<Key, Entry<Value>>();
  #bytes = 0;
  /** Goes on where the last one went: a new iterator passes by all that was taken out before. */
  #hand = this.#entries.entries();

  constructor(maxBytes: number, sizeOf: (value: Value) => number) {
    this.#maxBytes = maxBytes;
    this.#sizeOf = sizeOf;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.used = true;
    return entry.value;
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    // Key, map entry and object headers counted in, roughly.
    const cost = this.#sizeOf(value) + (typeof key === 'string' ? 2 * key.length : 0) + 200;
    if (cost > this.#maxBytes) return;
    this.#entries.set(key, { value, cost, used: false });
    this.#bytes += cost;
    while (this.#bytes > this.#maxBytes) this.#pass();
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.cost;
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  /** Drop the next entry, or let it stay for another round where it was asked for. */
  #pass(): void {
    const { value: next, done } = this.#hand.next();
    if (done) {
      this.#hand = this.#entries.entries();
      return;
    }
    const [key, entry] = next;
    this.delete(key);
    if (!entry.used) return;
    // Behind all others, where the hand comes last.
    entry.used = false;
    this.#entries.set(key, entry);
    this.#bytes += entry.cost;
  }
}
