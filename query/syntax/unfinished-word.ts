import type { NearOperand, PhraseNode, PrefixNode, QueryNode, SequenceNode, WordNode } from './tree.ts';

/** A part of a query whose last word ends with the text, so that the word may not be finished. */
export type UnfinishedLeaf = WordNode | PhraseNode;

const endsInWord = /[\p{L}\p{M}\p{N}_]$/u;

// Names of views and other words that are looked up as a whole.
const wholeValues = new Set(['view']);

/**
 * The last word of a query text, or the quoted words whose quote is still open, where it may be the beginning of a longer
 * word; undefined after a blank, a quote, a parenthesis or a mark, in a NOT, and for words that are compared otherwise.
 */
export function unfinishedLeaf(query: QueryNode, text: string): UnfinishedLeaf | undefined {
  if (!endsInWord.test(text)) return undefined;
  switch (query.kind) {
    case 'and':
    case 'or':
    case 'near': {
      const last = query.operands.at(-1);
      return last && unfinishedLeaf(last, text);
    }
    case 'attribute':
      return wholeValues.has(query.name.toLowerCase()) ? undefined : unfinishedLeaf(query.operand, text);
    case 'word':
    case 'phrase': {
      const word = lastWordOf(query);
      const isPlain = query.errors === undefined && query.part !== true;
      return isPlain && word !== '' && text.endsWith(word) ? query : undefined;
    }
    default:
      return undefined;
  }
}

export const lastWordOf = (leaf: UnfinishedLeaf): string =>
  leaf.kind === 'word' ? leaf.word : (leaf.words.at(-1) ?? '');

/** What a leaf finds when its last word is the beginning of a word. */
export function begunLeaf(leaf: UnfinishedLeaf): PrefixNode | SequenceNode {
  const cased = leaf.case === true ? { case: leaf.case } : {};
  const last: PrefixNode = { kind: 'prefix', prefix: lastWordOf(leaf), ...cased };
  if (leaf.kind === 'word') return last;
  const before = leaf.words.slice(0, -1).map((word): WordNode => ({ kind: 'word', word, ...cased }));
  return { kind: 'sequence', parts: [...before, last] };
}

/** The word as it was typed counts more than what it may become. */
const wholeWeight = 3;

/** The query with a leaf of its right edge replaced by an OR of it and others, which its word may become. */
export function orElse(
  query: QueryNode,
  leaf: UnfinishedLeaf,
  others: readonly (UnfinishedLeaf | PrefixNode | SequenceNode)[],
): QueryNode {
  if (query === leaf) return { kind: 'or', operands: [{ ...leaf, weight: wholeWeight }, ...others] };
  switch (query.kind) {
    case 'and':
    case 'or':
      return {
        ...query,
        operands: query.operands.map((one, at, all) =>
          at === all.length - 1 ? orElse(one, leaf, others) : one,
        ),
      };
    case 'near': {
      const [left, right] = query.operands;
      return { ...query, operands: [left, orElse(right, leaf, others) as NearOperand] };
    }
    case 'attribute':
      return { ...query, operand: orElse(query.operand, leaf, others) };
    default:
      return query;
  }
}
