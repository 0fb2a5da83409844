import {
  defaultLanguage,
  isSearchedByBareWords,
  isStopWord,
  type Language,
  languageOfStopWords,
} from '../words/index.ts';
import type { NearOperand, PhraseNode, QueryNode, RangeNode, RegexNode, WordLeaf, WordNode } from './tree.ts';

/** Functions that change leaves: for runs of tokens, and for the others. */
export interface LeafChange {
  readonly words: (leaf: WordLeaf) => WordLeaf;
  readonly test: (leaf: RegexNode | RangeNode) => QueryNode;
}

/** The same query with every leaf changed; the operands of a NEAR are leaves too. */
export function mapLeaves(query: QueryNode, change: LeafChange): QueryNode {
  switch (query.kind) {
    case 'near': {
      const [left, right] = query.operands;
      return { ...query, operands: [mapNearOperand(left, change), mapNearOperand(right, change)] };
    }
    case 'and':
    case 'or':
      return { ...query, operands: query.operands.map((operand) => mapLeaves(operand, change)) };
    case 'attribute':
    case 'not':
      return { ...query, operand: mapLeaves(query.operand, change) };
    case 'regex':
    case 'range':
      return change.test(query);
    case 'all':
      return query;
    default:
      return change.words(query);
  }
}

function mapNearOperand(operand: NearOperand, change: LeafChange): NearOperand {
  if (operand.kind !== 'or') return change.words(operand);
  return { ...operand, operands: operand.operands.map((one) => mapNearOperand(one, change)) };
}

/** The same query with the errors of every word and phrase replaced; undefined removes them. */
export function mapErrors(
  query: QueryNode,
  change: (leaf: WordNode | PhraseNode) => WordNode['errors'],
): QueryNode {
  const words = <Leaf extends WordLeaf>(leaf: Leaf): Leaf => {
    if (leaf.kind === 'prefix') return leaf;
    if (leaf.kind === 'sequence') return { ...leaf, parts: leaf.parts.map(words) };
    const { errors: _errors, ...rest } = leaf;
    const errors = change(leaf);
    return { ...rest, ...(errors !== undefined && { errors }) } as Leaf;
  };
  return mapLeaves(query, { words, test: (leaf) => leaf });
}

/** Whether a node says which objects are meant, by type, address, time or size, and not what is in them. */
function restricts(node: QueryNode): boolean {
  if (node.kind === 'and' || node.kind === 'or') return node.operands.every(restricts);
  return node.kind === 'attribute' && (!isSearchedByBareWords(node.name) || node.operand.kind === 'range');
}

/**
 * The same query with every word of a plain AND of words made optional, or undefined. Restrictions by type, address,
 * time and the like stay. Stop words no longer make an object match: those of the language, among some, that most of
 * them belong to.
 */
export function relax(
  query: QueryNode,
  among: Iterable<Language> = [defaultLanguage],
): QueryNode | undefined {
  if (query.kind !== 'and') return undefined;
  const isKept = (operand: QueryNode) => operand.kind === 'not' || restricts(operand);
  const wanted = query.operands.filter((operand) => !isKept(operand));
  const kept = query.operands.filter(isKept);
  if (wanted.length < 2) return undefined;
  const words = wanted.flatMap((operand) => (operand.kind === 'word' ? [operand.word] : []));
  const language = languageOfStopWords(words, among);
  const telling = wanted.filter((operand) => operand.kind !== 'word' || !isStopWord(operand.word, language));
  const operands = telling.length === 0 ? wanted : telling;
  const any: QueryNode = operands.length === 1 ? (operands[0] as QueryNode) : { kind: 'or', operands };
  return kept.length === 0 ? any : { kind: 'and', operands: [any, ...kept] };
}
