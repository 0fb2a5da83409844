import { scanWords } from '../words/index.ts';
import { mapErrors } from './map-leaves.ts';
import type { QueryNode } from './tree.ts';

/**
 * The query with errors for its first `most` words only: each word that may have errors is compared letter by letter
 * with every word of a text.
 */
export function limitErrors(query: QueryNode, most: number, notes: Set<string>): QueryNode {
  let given = 0;
  return mapErrors(query, (leaf) => {
    if ((leaf.errors ?? 0) === 0) return leaf.errors;
    given += scanWords(leaf.kind === 'word' ? leaf.word : leaf.words.join(' '), () => false);
    if (given <= most) return leaf.errors;
    notes.add(`at most ${most} words may have errors: the others must be as they are`);
    return undefined;
  });
}
