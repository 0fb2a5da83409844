/** Counts that add up over the life of what is counted, by what is counted. */
export type RunCounts = Readonly<Record<string, number>>;

/** What came to each count, whole numbers; those that stayed are left out. */
export function difference(before: RunCounts, after: RunCounts): RunCounts {
  return Object.fromEntries(
    Object.entries(after)
      .map(([what, count]) => [what, Math.round(count - (before[what] ?? 0))] as const)
      .filter(([, count]) => count > 0),
  );
}

/** The counts of several, added up. */
export function sumOf(all: readonly RunCounts[]): RunCounts {
  const sum: Record<string, number> = {};
  for (const counts of all)
    for (const [what, count] of Object.entries(counts)) sum[what] = (sum[what] ?? 0) + count;
  return sum;
}
