/**
 * Edits that turn one word into the other (insert, delete, replace, swap neighbours once: optimal string alignment), or
 * undefined when they are more than `most`. Time is proportional to the shorter word times `most`.
 */
export function editsBetween(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined;
  const far = most + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => Math.min(column, far));
  for (let i = 1; i <= a.length; i++) {
    const row = new Array<number>(b.length + 1).fill(far);
    if (i <= most) row[0] = i;
    let least = row[0] as number;
    for (let j = Math.max(1, i - most); j <= Math.min(b.length, i + most); j++) {
      const kept = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + kept,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] as number) + 1);
      row[j] = Math.min(best, far);
      least = Math.min(least, best);
    }
    if (least > most) return undefined;
    before = last;
    last = row;
  }
  const edits = last[b.length] as number;
  return edits > most ? undefined : edits;
}
