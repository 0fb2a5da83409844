/** Up to so many are looked through one by one. */
const few = 16;

/**
 * What is under way, by key, each for a short time. A Map makes a table anew whenever the last is taken out of it, among
 * the old objects once it has grown old, and may leave in a table that it no longer uses what such a one then keeps from
 * small collections. Here a few cost no memory at all, and what is taken out of the Map for the others is let go of by
 * hand.
 */
export class InFlightMap<Key extends string | number, Value> {
  readonly #keys: (Key | undefined)[] = [];
  readonly #values: (Value | undefined)[] = [];
  /** How many of these places are used, from the first on. */
  #few = 0;
  readonly #others = new Map<Key, { value: Value | undefined }>();

  get size(): number {
    return this.#few + this.#others.size;
  }

  has(key: Key): boolean {
    return this.#placeOf(key) !== -1 || this.#others.has(key);
  }

  get(key: Key): Value | undefined {
    const place = this.#placeOf(key);
    return place === -1 ? this.#others.get(key)?.value : this.#values[place];
  }

  set(key: Key, value: Value): void {
    const place = this.#placeOf(key);
    const other = place === -1 ? this.#others.get(key) : undefined;
    if (place !== -1) this.#values[place] = value;
    else if (other !== undefined) other.value = value;
    else if (this.#few === few) this.#others.set(key, { value });
    else {
      this.#keys[this.#few] = key;
      this.#values[this.#few] = value;
      this.#few++;
    }
  }

  delete(key: Key): void {
    const place = this.#placeOf(key);
    if (place !== -1) {
      this.#few--;
      this.#keys[place] = this.#keys[this.#few];
      this.#values[place] = this.#values[this.#few];
      this.#keys[this.#few] = undefined;
      this.#values[this.#few] = undefined;
      return;
    }
    const other = this.#others.get(key);
    if (other === undefined) return;
    other.value = undefined;
    this.#others.delete(key);
  }

  clear(): void {
    for (const key of this.keys()) this.delete(key);
  }

  /** Those of now, in no order. */
  keys(): Key[] {
    return [...(this.#keys.slice(0, this.#few) as Key[]), ...this.#others.keys()];
  }

  /** Those of now, in no order. */
  values(): Value[] {
    const others = [...this.#others.values()].map(({ value }) => value as Value);
    return [...(this.#values.slice(0, this.#few) as Value[]), ...others];
  }

  #placeOf(key: Key): number {
    for (let place = 0; place < this.#few; place++) if (this.#keys[place] === key) return place;
    return -1;
  }
}
