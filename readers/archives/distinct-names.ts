/**
 * Makes repeated names distinct by a number before their ending: `scan.pdf`, `scan-2.pdf`. For formats
 * without a tree of files, where two entries of one name are two documents.
 */
export class DistinctNames {
  readonly #taken = new Set<string>();
  readonly #last = new Map<string, number>();

  of(name: string): string {
    let distinct = name;
    let number = this.#last.get(name) ?? 1;
    while (this.#taken.has(distinct)) distinct = numbered(name, ++number);
    this.#last.set(name, number);
    this.#taken.add(distinct);
    return distinct;
  }
}

function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf('.');
  // A dot at the beginning of the last step does not begin an ending.
  const end = dot > name.lastIndexOf('/') + 1 ? dot : name.length;
  return `${name.slice(0, end)}-${number}${name.slice(end)}`;
}
