import type { QueryNode, WordNode } from '../syntax/index.ts';
import { variantsOf } from '../words/index.ts';
import { isPlain } from './leaves.ts';

/** Other spellings count less than the typed one. */
const spellingWeight = 0.6;
const maxSpellings = 3;

const possessive = /^(?=.{3})(.*\p{L})['’]s?$/iu;
// Articles and the like that French, Italian and Catalan write with the next word.
const elision = /^(?:[cdjlmnst]|qu|un|dell|all|nell|sull|dall|quell)['’](\p{L}{3,})$/iu;

/** The other spellings of a word of a query. */
function spellingsOf(word: string): string[] {
  const found = Array.from(
    variantsOf(word),
    ({ text, start, end }) => word.slice(0, start) + text + word.slice(end),
  );
  for (const pattern of [possessive, elision]) {
    const kept = pattern.exec(word)?.[1];
    if (kept !== undefined) found.push(kept);
  }
  return [...new Set(found)].slice(0, maxSpellings);
}

function spellingNode(text: string, weight: number): QueryNode {
  const words = text.split(' ');
  return words.length === 1 ? { kind: 'word', word: text, weight } : { kind: 'phrase', words, weight };
}

function withSpellingsOf(node: WordNode): QueryNode {
  const others = isPlain(node) ? spellingsOf(node.word) : [];
  if (others.length === 0) return node;
  const weight = spellingWeight * (node.weight ?? 1);
  return { kind: 'or', operands: [node, ...others.map((text) => spellingNode(text, weight))] };
}

/**
 * The query with each plain word replaced by an OR with its other spellings: `wi-fi` with `wifi`, `getName` with
 * `"get name"`, `v1.2` with `1.2`, `John's` with `John`. Phrases and words with their own comparison stay.
 */
export function withSpellings(query: QueryNode): QueryNode {
  switch (query.kind) {
    case 'word':
      return withSpellingsOf(query);
    case 'attribute':
    case 'not':
      return { ...query, operand: withSpellings(query.operand) };
    case 'and':
    case 'or':
      return { ...query, operands: query.operands.map(withSpellings) };
    default:
      return query;
  }
}
