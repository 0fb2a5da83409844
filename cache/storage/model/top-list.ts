/** The max length of a list of the hottest or largest. */
const maxLength = 100;

/** The `count` items of highest rank, highest first; holds no more than those at any time. */
export function largestFirst<Item>(
  items: Iterable<Item>,
  rank: (item: Item) => number,
  count: number,
): Item[] {
  const best: { item: Item; rank: number }[] = [];
  const wanted = Math.min(Math.max(0, count), maxLength);
  for (const item of items) {
    const own = rank(item);
    if (best.length === wanted && own <= (best.at(-1)?.rank ?? Number.POSITIVE_INFINITY)) continue;
    let at = best.length;
    while (at > 0 && (best[at - 1] as { rank: number }).rank < own) at--;
    best.splice(at, 0, { item, rank: own });
    if (best.length > wanted) best.pop();
  }
  return best.map(({ item }) => item);
}
