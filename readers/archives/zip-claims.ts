const maxRun = 512;

/** Neighbouring stretches, sorted. */
interface Run {
  readonly starts: number[];
  readonly ends: number[];
}

/** Stretches of an archive that entries claim; a valid archive never claims a byte twice. */
export class Claims {
  // In short runs: in one list an insertion at the front would move all of them.
  readonly #runs: Run[] = [{ starts: [], ends: [] }];

  /** Where the last stretch ends. */
  get end(): number {
    return this.#runs.at(-1)?.ends.at(-1) ?? 0;
  }

  /** Whether `start` to `end` was free; it is claimed then. */
  claim(start: number, end: number): boolean {
    const index = Math.max(0, countUpTo(this.#runs, ({ starts }) => (starts[0] ?? 0) <= start) - 1);
    const { starts, ends } = this.#runs[index] as Run;
    const at = countUpTo(starts, (other) => other <= start);
    const next = starts[at] ?? this.#runs[index + 1]?.starts[0] ?? Number.POSITIVE_INFINITY;
    if ((at > 0 && (ends[at - 1] as number) > start) || next < end) return false;
    starts.splice(at, 0, start);
    ends.splice(at, 0, end);
    if (starts.length > maxRun)
      this.#runs.splice(index + 1, 0, {
        starts: starts.splice(maxRun / 2),
        ends: ends.splice(maxRun / 2),
      });
    return true;
  }
}

/** Number of items at the beginning that fit, when those that fit come first. */
function countUpTo<Item>(items: readonly Item[], fits: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  // Most archives are in order.
  if (high > 0 && fits(items[high - 1] as Item)) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(items[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
