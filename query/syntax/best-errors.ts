import { mapErrors } from './map-leaves.ts';
import { maxErrors, type QueryNode } from './tree.ts';

function isBest(node: QueryNode): boolean {
  switch (node.kind) {
    case 'word':
    case 'phrase':
      return node.errors === 'best';
    case 'sequence':
      return node.parts.some(isBest);
    case 'near':
    case 'and':
    case 'or':
      return node.operands.some(isBest);
    case 'attribute':
    case 'not':
      return isBest(node.operand);
    default:
      return false;
  }
}

/** The query with every `best` replaced by a number of errors. */
const withErrors = (query: QueryNode, errors: number) =>
  mapErrors(query, (leaf) => (leaf.errors === 'best' ? errors : leaf.errors));

/**
 * The query with the fewest errors for its `best` leaves that `matchesAny` object; with `maxErrors` when
 * nothing matches. A query without `best` leaves is returned at once.
 */
export async function resolveBest(
  query: QueryNode,
  matchesAny: (query: QueryNode) => Promise<boolean>,
): Promise<QueryNode> {
  if (!isBest(query)) return query;
  for (let errors = 0; errors < maxErrors; errors++) {
    const tried = withErrors(query, errors);
    if (await matchesAny(tried)) return tried;
  }
  return withErrors(query, maxErrors);
}
