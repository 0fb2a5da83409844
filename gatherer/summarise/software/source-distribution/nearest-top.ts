interface Placed {
  readonly path: string;
}

/** Order: nearer the top first, then by name. */
export function byPlace(a: Placed, b: Placed): number {
  const depth = a.path.split('/').length - b.path.split('/').length;
  return depth !== 0 ? depth : a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** Keeps values of files, up to a number and a total length; of more, those nearest to the top. */
export class NearestTop<Value> {
  readonly #max: number;
  readonly #maxLength: number;
  /** In order. */
  readonly #kept: { readonly path: string; readonly length: number; readonly value: Value }[] = [];
  #length = 0;

  /** `maxLength`: of all together; the first value is always kept. */
  constructor(max: number, maxLength: number) {
    this.#max = max;
    this.#maxLength = maxLength;
  }

  add(path: string, length: number, value: Value): void {
    const added = { path, length, value };
    const at = this.#kept.findIndex((other) => byPlace(added, other) < 0);
    this.#kept.splice(at < 0 ? this.#kept.length : at, 0, added);
    this.#length += length;
    while (this.#kept.length > this.#max || (this.#length > this.#maxLength && this.#kept.length > 1))
      this.#length -= this.#kept.pop()?.length ?? 0;
  }

  get values(): readonly Value[] {
    return this.#kept.map(({ value }) => value);
  }
}
