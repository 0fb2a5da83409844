import type { TokenTest } from './token-predicate.ts';
import type { Comparison, RegexNode, WordLeaf } from './tree.ts';

/** A part of a query that many terms pass, ranked by all of them as by one term. */
export type TermGroup = {
  /** As a query has it, the same in every language; no term is written so. */
  readonly name: string;
} & (
  | { readonly test: TokenTest; readonly regex?: undefined }
  | { readonly regex: RegexNode; readonly test?: undefined }
);

/** A leaf whose words are compared without case: an index has terms only. */
export function withoutCase(leaf: WordLeaf): WordLeaf {
  const plain = <Node extends Comparison>({ case: _case, ...node }: Node): Omit<Node, 'case'> => node;
  if (leaf.kind !== 'sequence') return plain(leaf) as WordLeaf;
  return { ...leaf, parts: leaf.parts.map((part) => plain(part) as typeof part) };
}

/** The name of a token of several terms. */
export function groupName({ text, errors, place }: TokenTest): string {
  if (place === 'beginning') return `${text}*`;
  return `${place === 'inside' ? '#part ' : ''}${text}${errors === 0 ? '' : `~${errors}`}`;
}

export const printedRegex = ({ pattern }: RegexNode): string =>
  `/${pattern.replaceAll(/\\[\s\S]|\//g, (text) => (text === '/' ? '\\/' : text))}/`;
