/** Runs of tokens in one object by where their first and last tokens stand. */
export interface PlacedRun {
  readonly first: number;
  readonly last: number;
}

/**
 * Whether some run of each side stand in one value, not over each other, with at most `distance` tokens between them;
 * `ends` (ascending) stand between values. Time n log n in the number of runs.
 */
export function areNear(
  lefts: readonly PlacedRun[],
  rights: readonly PlacedRun[],
  distance: number,
  ends: readonly number[],
): boolean {
  const lasts = Int32Array.from(rights, ({ last }) => last).sort();
  const firsts = Int32Array.from(rights, ({ first }) => first).sort();
  const breaks = Int32Array.from(ends);
  const gap = distance + 1;
  return lefts.some(({ first, last }) => {
    const at = lowerBound(breaks, first);
    const from = (breaks[at - 1] ?? -1) + 1;
    const to = (breaks[at] ?? Number.MAX_SAFE_INTEGER) - 1;
    return (
      holdsBetween(lasts, Math.max(from, first - gap), first - 1) ||
      holdsBetween(firsts, last + 1, Math.min(to, last + gap))
    );
  });
}

/** Where the first number stands that is not below `least`. */
function lowerBound(numbers: Int32Array, least: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] as number) < least) from = middle + 1;
    else to = middle;
  }
  return from;
}

function holdsBetween(numbers: Int32Array, low: number, high: number): boolean {
  const at = lowerBound(numbers, low);
  return at < numbers.length && (numbers[at] as number) <= high;
}
