/** Counts that add up over the life of what is counted, by what is counted. */
export type Numbers = Readonly<Record<string, number>>;

/** What came to each count, whole numbers; those that stayed are left out. */
export function increase(before: Numbers, after: Numbers): Numbers {
  return Object.fromEntries(
    Object.entries(after)
      .map(([what, count]) => [what, Math.round(count - (before[what] ?? 0))] as const)
      .filter(([, count]) => count > 0),
  );
}

/** The counts of several, added up. */
export function sumOf(all: readonly Numbers[]): Numbers {
  const sum: Record<string, number> = {};
  for (const counts of all)
    for (const [what, count] of Object.entries(counts)) sum[what] = (sum[what] ?? 0) + count;
  return sum;
}
