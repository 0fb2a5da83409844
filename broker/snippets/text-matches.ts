import { type Language, matchersOf, positiveLeaves, type QueryNode } from '../../query/index.ts';

const maxMatches = 64;

/** The matches of a query in a title in a language, in order and without overlaps; UTF-16 units. */
export function titleMatches(
  title: string,
  query: QueryNode,
  language?: Language,
): readonly (readonly [number, number])[] {
  const leaves = positiveLeaves(query, language).filter(
    ({ attribute }) => attribute === undefined || attribute === 'title',
  );
  const found: [number, number][] = [];
  for (const { matcher } of matchersOf(
    leaves.map(({ node }) => node),
    language,
  )) {
    let room = maxMatches;
    matcher.search(title, (_, start, end) => {
      found.push([start, end]);
      return --room === 0;
    });
  }
  found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  return found.filter(([start], i) => i === 0 || start >= (found[i - 1]?.[1] ?? 0));
}
