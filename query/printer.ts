import { isPlainWord } from './lexer.ts';
import type { QueryNode } from './tree.ts';

// How tightly each kind binds; an operand that binds no tighter than its parent needs parentheses.
const binding: Readonly<Record<QueryNode['kind'], number>> = {
  or: 0,
  and: 1,
  not: 2,
  attribute: 3,
  word: 3,
  phrase: 3,
  all: 3,
};

const quoted = (text: string) => `"${text.replaceAll(/["“”„‟«»＂]/g, ' ')}"`;

/** A query as text that `parseQuery` reads back to the same tree (for trees it could have made). */
export function printQuery(node: QueryNode): string {
  switch (node.kind) {
    case 'word':
      return isPlainWord(node.word) ? node.word : quoted(node.word);
    case 'phrase':
      return quoted(node.words.join(' '));
    case 'attribute':
      return `${node.name}: ${operand(node.operand, node.operand.kind === 'attribute' ? 4 : 3)}`;
    case 'and':
      return node.operands.map((part) => operand(part, 2)).join(' AND ');
    case 'or':
      return node.operands.map((part) => operand(part, 1)).join(' OR ');
    case 'not':
      return `NOT ${operand(node.operand, 2)}`;
    case 'all':
      return '*';
  }
}

function operand(node: QueryNode, needed: number): string {
  return binding[node.kind] >= needed ? printQuery(node) : `(${printQuery(node)})`;
}
