import { mapLeaves } from './map-leaves.ts';
import type { Comparison, PrefixNode, QueryNode, WordNode } from './tree.ts';
import { phraseOf } from './word-marks.ts';

/** A part of `Comparison` that is on or off. */
export type ComparisonFlag = 'case' | 'part';
export const comparisonFlags: readonly ComparisonFlag[] = ['case', 'part'];

/** The options of a query, or of a group in it, that apply to its leaves. */
export interface ComparisonOptions {
  readonly case?: boolean;
  readonly part?: boolean;
  readonly errors?: number | 'best';
}

const flagsOf = (options: ComparisonOptions): Comparison => ({
  ...(options.case === true && { case: true }),
  ...(options.part === true && { part: true }),
});

/** Errors apply to leaves without their own, capitals where possible. A prefix is never a mere part. */
function wordAs<Word extends WordNode | PrefixNode>(word: Word, options: ComparisonOptions): Word {
  if (word.kind === 'prefix') return options.case === true ? { ...word, case: true } : word;
  const errors = (word as WordNode).errors ?? options.errors;
  const { typed, ...rest } = word as WordNode;
  const compared = { ...rest, ...flagsOf(options), ...(errors !== undefined && { errors }) };
  // Another comparison takes the place of that by typed forms.
  const isTyped = typed === true && !compared.case && !compared.part && compared.errors === undefined;
  return (isTyped ? { ...compared, typed } : compared) as Word;
}

/** The same query with every leaf compared by the options, unless it has its own. */
export function comparedAs(query: QueryNode, options: ComparisonOptions): QueryNode {
  return mapLeaves(query, {
    words: (leaf) => {
      if (leaf.kind === 'sequence') return phraseOf(leaf.parts.map((part) => wordAs(part, options)));
      if (leaf.kind !== 'phrase') return wordAs(leaf, options);
      const { words, kind: _kind, ...own } = leaf;
      return phraseOf(words.map((word) => wordAs({ kind: 'word', word, ...own }, options)));
    },
    test: (leaf) => (options.case === true ? { ...leaf, case: true } : leaf),
  });
}

/** For each leaf that a flag can apply to, whether it is set. */
function* flagged(node: QueryNode, flag: ComparisonFlag): Generator<boolean> {
  switch (node.kind) {
    case 'word':
    case 'phrase':
      yield node[flag] === true;
      return;
    case 'prefix':
    case 'regex':
    case 'range':
      if (flag === 'case') yield node.case === true;
      return;
    case 'sequence':
      for (const part of node.parts) yield* flagged(part, flag);
      return;
    case 'near':
    case 'and':
    case 'or':
      for (const operand of node.operands) yield* flagged(operand, flag);
      return;
    case 'attribute':
    case 'not':
      yield* flagged(node.operand, flag);
      return;
    case 'all':
  }
}

/** The flags that all leaves that can have them have. */
export function commonFlags(node: QueryNode): ComparisonFlag[] {
  return comparisonFlags.filter((flag) => {
    const all = [...flagged(node, flag)];
    return all.length > 0 && all.every(Boolean);
  });
}
