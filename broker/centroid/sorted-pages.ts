/** Max UTF-16 units of the entries that are in memory at once. */
const maxUnits = 4 * 1024 * 1024;

/**
 * The different entries of a collection in order, in pages. The collection is read once for each page, so that memory
 * is bounded: `read` calls `take` with every entry, repeats included.
 */
export async function* sortedPages(
  read: (take: (entry: string) => void) => Promise<void>,
  units = maxUnits,
): AsyncGenerator<readonly string[], void, undefined> {
  for (let after: string | undefined; ; ) {
    let found = new Set<string>();
    let size = 0;
    /** Larger entries are for a later page. */
    let last: string | undefined;
    await read((entry) => {
      if ((after !== undefined && entry <= after) || (last !== undefined && entry > last)) return;
      if (found.has(entry)) return;
      found.add(entry);
      size += entry.length;
      if (size <= units || found.size < 2) return;
      // The smaller half stays, so that the next cut is as far away.
      const half = [...found].sort().slice(0, found.size >> 1);
      found = new Set(half);
      size = half.reduce((sum, { length }) => sum + length, 0);
      last = half.at(-1);
    });
    yield [...found].sort();
    if (last === undefined) return;
    after = last;
  }
}
