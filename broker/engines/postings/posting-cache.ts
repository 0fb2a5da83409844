interface Entry<Value> {
  readonly value: Value;
  readonly cost: number;
  /** Used since the hand last passed it. */
  used: boolean;
}

/** A cache of at most `maxBytes`. Unused entries go first (the clock algorithm: a use moves nothing). */
export class PostingCache<Value, Key extends string | number = string> {
  readonly #maxBytes: number;
  readonly #sizeOf: (value: Value) => number;
  readonly #entries = new Map<Key, Entry<Value>>();
  #bytes = 0;
  /** Continues where the last pass ended; a new iterator would pass all earlier removals. */
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
    // Roughly, with key, map entry and object headers.
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

  /** Drop the next entry, or keep it for another round when it was used. */
  #pass(): void {
    const { value: next, done } = this.#hand.next();
    if (done) {
      this.#hand = this.#entries.entries();
      return;
    }
    const [key, entry] = next;
    this.delete(key);
    if (!entry.used) return;
    // Moved to the end, where the hand comes last.
    entry.used = false;
    this.#entries.set(key, entry);
    this.#bytes += entry.cost;
  }
}

/** The earlier value of a name, or else the one that `load` starts to compute now. */
export function memoised<Value>(
  known: Map<string, Promise<Value>>,
  name: string,
  load: () => Promise<Value>,
): Promise<Value> {
  let value = known.get(name);
  if (value === undefined) {
    value = load();
    known.set(name, value);
  }
  return value;
}
