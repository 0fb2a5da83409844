/**
 * What is under way, by key, each for a short time. A Map may leave what is taken out of it in a table that it no longer
 * uses, and one such table that has grown old keeps what every later one holds from small collections: what is kept here is
 * let go of by hand.
 */
export class UnderWay<Key extends string | number, Value> {
  readonly #places = new Map<Key, { value: Value | undefined }>();

  get size(): number {
    return this.#places.size;
  }

  has(key: Key): boolean {
    return this.#places.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#places.get(key)?.value;
  }

  set(key: Key, value: Value): void {
    const place = this.#places.get(key);
    if (place === undefined) this.#places.set(key, { value });
    else place.value = value;
  }

  delete(key: Key): void {
    const place = this.#places.get(key);
    if (place === undefined) return;
    place.value = undefined;
    this.#places.delete(key);
  }

  clear(): void {
    for (const key of this.#places.keys()) this.delete(key);
  }

  keys(): IterableIterator<Key> {
    return this.#places.keys();
  }

  *values(): Generator<Value, void, undefined> {
    for (const { value } of this.#places.values()) if (value !== undefined) yield value;
  }
}
