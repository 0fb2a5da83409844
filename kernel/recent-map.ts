/** Values by key. Above `max`, their sizes added up, the least recently used ones are dropped. */
export class RecentMap<Key, Value> {
  readonly #max: number;
  readonly #entries = new Map<Key, { readonly value: Value; readonly size: number }>();
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get count(): number {
    return this.#entries.size;
  }

  /** The sizes of all values added up. */
  get size(): number {
    return this.#size;
  }

  /** Returns the value of a key, which counts as a use of it. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Store a value in place of the last one of its key. A value larger than `max` is not stored. */
  set(key: Key, value: Value, size = 1): void {
    this.delete(key);
    if (size > this.#max) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#max) return;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }

  /** Keys and values, the least recently used first. */
  *entries(): Generator<readonly [Key, Value]> {
    for (const [key, { value }] of this.#entries) yield [key, value];
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }
}
