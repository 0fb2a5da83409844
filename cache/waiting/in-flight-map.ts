/** Up to this number, entries are searched one by one. */
const few = 16;

/**
 * Values in flight by key, each for a short time. A Map builds a new table when its last entry is deleted,
 * and an old unused table may keep what it refers to from minor garbage collections. Here a few entries cost
 * no memory at all, and a value beyond those is cleared by hand when it is deleted.
 */
export class InFlightMap<Key extends string | number, Value> {
  readonly #keys: (Key | undefined)[] = [];
  readonly #values: (Value | undefined)[] = [];
  /** The number of used places, from the first on. */
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

  keys(): Key[] {
    return [...(this.#keys.slice(0, this.#few) as Key[]), ...this.#others.keys()];
  }

  values(): Value[] {
    const others = [...this.#others.values()].map(({ value }) => value as Value);
    return [...(this.#values.slice(0, this.#few) as Value[]), ...others];
  }

  #placeOf(key: Key): number {
    for (let place = 0; place < this.#few; place++) if (this.#keys[place] === key) return place;
    return -1;
  }
}
