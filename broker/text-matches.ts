import { positiveLeaves, type QueryNode, TermMatcher } from '../query/index.ts';

const maxMatches = 64;

/** Where the words and phrases of a query stand in a title, in order and without overlaps; UTF-16 units. */
export function titleMatches(title: string, query: QueryNode): readonly (readonly [number, number])[] {
  const leaves = positiveLeaves(query).filter(
    ({ attribute }) => attribute === undefined || attribute === 'title',
  );
  const found: [number, number][] = [];
  new TermMatcher(leaves.map(({ terms }) => terms)).search(title, (_, start, end) => {
    found.push([start, end]);
    return found.length >= maxMatches;
  });
  found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  return found.filter(([start], i) => i === 0 || start >= (found[i - 1]?.[1] ?? 0));
}
