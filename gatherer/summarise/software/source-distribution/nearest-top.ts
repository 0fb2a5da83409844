interface Placed {
  readonly path: string;
}

/** Nearer the top first, then by name, whatever the order of the archive. */
export function byPlace(a: Placed, b: Placed): number {
  const depth = a.path.split('/').length - b.path.split('/').length;
  return depth !== 0 ? depth : a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** Keeps what was read of files, up to a number and a length together; of more, the nearest to the top stay. */
export class NearestTop<Value> {
  readonly #max: number;
  readonly #longest: number;
  /** In order. */
  readonly #kept: { readonly path: string; readonly length: number; readonly value: Value }[] = [];
  #length = 0;

  /** `longest`: of all together; the first stays however long it is. */
  constructor(max: number, longest: number) {
    this.#max = max;
    this.#longest = longest;
  }

  add(path: string, length: number, value: Value): void {
    const added = { path, length, value };
    const at = this.#kept.findIndex((other) => byPlace(added, other) < 0);
    this.#kept.splice(at < 0 ? this.#kept.length : at, 0, added);
    this.#length += length;
    while (this.#kept.length > this.#max || (this.#length > this.#longest && this.#kept.length > 1))
      this.#length -= this.#kept.pop()?.length ?? 0;
  }

  get values(): readonly Value[] {
    return this.#kept.map(({ value }) => value);
  }
}
