/** Added keys that are put in their places one by one; more of them are sorted in together. */
const fewKeys = 64;

/** Texts in order, each once. A range costs a binary search; an addition costs nothing until the next look. */
export class SortedKeys {
  #keys: string[] = [];
  #added: string[] = [];

  add(key: string): void {
    this.#added.push(key);
  }

  delete(key: string): void {
    const at = this.#placeOf(key);
    if (this.#keys[at] === key) this.#keys.splice(at, 1);
  }

  clear(): void {
    this.#keys = [];
    this.#added = [];
  }

  /** The keys from this one on, itself included where it is there. */
  *from(key: string): Iterable<string> {
    for (let at = this.#placeOf(key); at < this.#keys.length; at++) yield this.#keys[at] as string;
  }

  /** Where a key is, or would be. */
  #placeOf(key: string): number {
    this.#settle();
    return this.#search(key);
  }

  #settle(): void {
    if (this.#added.length === 0) return;
    const added = this.#added;
    this.#added = [];
    if (added.length <= fewKeys)
      for (const key of added) {
        const at = this.#search(key);
        if (this.#keys[at] !== key) this.#keys.splice(at, 0, key);
      }
    else this.#keys = [...new Set([...this.#keys, ...added])].sort();
  }

  #search(key: string): number {
    let [low, high] = [0, this.#keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
