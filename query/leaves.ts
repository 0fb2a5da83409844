import { termsOf } from './analysis.ts';
import { isStopWord } from './stop-words.ts';
import type { QueryNode } from './tree.ts';

/** A word or phrase of a query as it is searched. */
export interface QueryLeaf {
  /** Terms that stand next to each other; a word such as `node.js` has several. None: nothing can match. */
  readonly terms: readonly string[];
  /** Whether it is one of those words that nearly every text has (`isStopWord`). */
  readonly stop: boolean;
  /** Lower-case attribute name it is restricted to (the innermost one), or undefined. */
  readonly attribute: string | undefined;
  /** How much it counts beside the others: 1 for what was asked, less for what was added. */
  readonly weight: number;
}

/** The terms of a word or phrase node. */
export function leafTerms(node: Extract<QueryNode, { kind: 'word' | 'phrase' }>): string[] {
  return termsOf(node.kind === 'word' ? node.word : node.words.join(' '));
}

/** The leaves that make an object match when they are present: those under an even number of NOTs. */
export function positiveLeaves(query: QueryNode): QueryLeaf[] {
  const found: QueryLeaf[] = [];
  const visit = (node: QueryNode, attribute: string | undefined, positive: boolean): void => {
    switch (node.kind) {
      case 'word':
      case 'phrase': {
        const terms = positive ? leafTerms(node) : [];
        const stop = node.kind === 'word' && isStopWord(node.word);
        if (terms.length > 0) found.push({ terms, attribute, stop, weight: node.weight ?? 1 });
        return;
      }
      case 'attribute':
        visit(node.operand, node.name.toLowerCase(), positive);
        return;
      case 'and':
      case 'or':
        for (const operand of node.operands) visit(operand, attribute, positive);
        return;
      case 'not':
        visit(node.operand, attribute, !positive);
        return;
      case 'all':
        return;
    }
  };
  visit(query, undefined, true);
  return found;
}
