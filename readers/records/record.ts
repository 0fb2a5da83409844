const maxPathLength = 200;

/** One of the many objects that a file such as a mailbox holds. */
export interface ExplodedRecord {
  /** Its distinct name in the file: a number from 1 on, or its own key. */
  readonly path: string;
  /** Type name of the record, as recognition would return it. */
  readonly type: string;
  /** The record as a document of its own, for its type's summariser. */
  readonly bytes: Uint8Array;
  /** The named fields of its format, names as written, in lower case. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** Makes every given path distinct, by adding `-2`, `-3` ... where needed. */
export class DistinctPaths {
  readonly #taken = new Set<string>();
  readonly #last = new Map<string, number>();

  of(path: string): string {
    const wanted = path.replace(/[\p{Cc}\p{Cs}/\\]+/gu, '-').slice(0, maxPathLength) || 'record';
    let distinct = wanted;
    let number = this.#last.get(wanted) ?? 1;
    while (this.#taken.has(distinct)) distinct = `${wanted}-${++number}`;
    this.#last.set(wanted, number);
    this.#taken.add(distinct);
    return distinct;
  }
}
