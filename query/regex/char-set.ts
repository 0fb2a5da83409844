/** Code points as ascending, disjoint, inclusive ranges: [from, to, from, to ...]. */
export type CharSet = readonly number[];

export const lastCodePoint = 0x10ffff;

/** The set of these ranges, in any order and overlapping. */
export function charSet(ranges: readonly (readonly [from: number, to: number])[]): CharSet {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const set: number[] = [];
  for (const [from, to] of sorted) {
    const last = set.length - 1;
    if (last > 0 && from <= (set[last] as number) + 1) set[last] = Math.max(set[last] as number, to);
    else set.push(from, to);
  }
  return set;
}

export const rangesOf = (set: CharSet) =>
  Array.from(
    { length: set.length / 2 },
    (_, at) => [set[2 * at] as number, set[2 * at + 1] as number] as const,
  );

export const union = (...sets: readonly CharSet[]) => charSet(sets.flatMap(rangesOf));

/** Every code point that is not in the set. */
export function complement(set: CharSet): CharSet {
  const ranges: [number, number][] = [];
  let from = 0;
  for (const [low, high] of rangesOf(set)) {
    if (low > from) ranges.push([from, low - 1]);
    from = high + 1;
  }
  if (from <= lastCodePoint) ranges.push([from, lastCodePoint]);
  return charSet(ranges);
}

export function contains(set: CharSet, codePoint: number): boolean {
  let [from, to] = [0, set.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((set[middle] as number) < codePoint) from = middle + 1;
    else to = middle;
  }
  // An odd index is the end of a range, an even one a beginning.
  return from < set.length && (from % 2 === 1 || set[from] === codePoint);
}
