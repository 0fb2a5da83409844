/** The leaves of an operand of NEAR. */
export function nearLeaves(operand: NearOperand): WordLeaf[] {
  return operand.kind === 'or' ? operand.operands.flatMap(nearLeaves) : [operand];
}
/**
 * How a word of a query is compared with the tokens of a text. By default two words are equal when their
 * terms are: case, accents and endings do not matter. The compared *form* (`formOf`): `case` uses the word as
 * written, else `part` the normalised word, else the term. `errors` allows that many insertions, deletions
 * and substitutions of characters (code points) between the two forms, but at least one character of the
 * query must stay, so a form of n characters allows at most n - 1 errors. `part` allows the form anywhere
 * inside the token's form instead of being all of it. `typed`, alone, compares the normalised word where that has a term
 * of its own (`typedTerm`): quoted words.
 */
export interface Comparison {
  readonly case?: true;
  readonly part?: true;
  readonly typed?: true;
  /**
   * 0 to 8. `best` is as many as needed: all leaves of a query with `best` take the same number, the smallest
   * of 0 to 8 with which the whole query matches some object of the searched store (before filters by source
   * and type), and 8 when none does. Without a store (`matches`), it is `bestWithoutStore`.
   */
  readonly errors?: number | 'best';
}

/** A word. One of several tokens (`node.js`) is the phrase of them; one without tokens matches nothing. */
export interface WordNode extends Comparison {
  readonly kind: 'word';
  readonly word: string;
  /** Weight in ranking, 1 when absent; it does not change which objects match. */
  readonly weight?: number;
}

/** Words whose tokens follow each other in this order in one attribute value. */
export interface PhraseNode extends Comparison {
  readonly kind: 'phrase';
  readonly words: readonly string[];
  /** As a word's. */
  readonly weight?: number;
}

/**
 * A token whose normalised word (not its term) begins with that of `prefix`; with `case`, the written form is
 * compared. A prefix of several tokens is the phrase of them, the last being the beginning of a token.
 */
export interface PrefixNode extends Pick<Comparison, 'case'> {
  readonly kind: 'prefix';
  readonly prefix: string;
}

/** A phrase whose words are compared each in their own way: `"exact approximat~1 begin*"`. */
export interface SequenceNode {
  readonly kind: 'sequence';
  readonly parts: readonly (WordNode | PrefixNode)[];
}

/** A leaf that matches a run of tokens in a text. */
export type WordLeaf = WordNode | PhraseNode | PrefixNode | SequenceNode;

/** An operand of NEAR: a run of tokens, or any of several. */
export type NearOperand = WordLeaf | { readonly kind: 'or'; readonly operands: readonly NearOperand[] };

/** Both operands in one attribute value, in any order, no token shared, at most `distance` between. */
export interface NearNode {
  readonly kind: 'near';
  /** 0 to `maxNearDistance`. */
  readonly distance: number;
  readonly operands: readonly [NearOperand, NearOperand];
}

/**
 * A regular expression (`regex/` has the syntax) that matches somewhere in the text of an attribute value: `^` and
 * `$` are the ends of lines, `.` is any character but a line break. Case matters only with `case`; accents always do.
 */
export interface RegexNode extends Pick<Comparison, 'case'> {
  readonly kind: 'regex';
  readonly pattern: string;
}

/** One end of a range as it was written: `10k`, `2024-01`, `smith`. */
export interface Bound {
  readonly value: string;
  /** The value itself is not in the range. */
  readonly exclusive?: true;
}

/**
 * An attribute value between two bounds, at least one of which is given. `readRange` decides whether they are
 * numbers, times or text, and which values can be compared with them; other values do not match.
 */
export interface RangeNode extends Pick<Comparison, 'case'> {
  readonly kind: 'range';
  readonly from?: Bound;
  readonly to?: Bound;
}

/** A node that looks at texts; its matches can be shown. */
export type TextLeaf = WordLeaf | NearNode | RegexNode;

/** A node that looks at the values of the innermost attribute around it, or those of bare words. */
export type LeafNode = TextLeaf | RangeNode;

/** A query as a tree. Every node defines which objects match; `matches` and every engine agree on that. */
export type QueryNode =
  | LeafNode
  /** The operand restricted to one attribute (`Author` covers `Author-1`, `Author-2`). */
  | { readonly kind: 'attribute'; readonly name: string; readonly operand: QueryNode }
  | { readonly kind: 'and'; readonly operands: readonly QueryNode[] }
  | { readonly kind: 'or'; readonly operands: readonly QueryNode[] }
  | { readonly kind: 'not'; readonly operand: QueryNode }
  | { readonly kind: 'all' };

/** Max errors of a word, as in agrep. */
export const maxErrors = 8;

/** The errors of `best` without a store. */
export const bestWithoutStore = 1;

/** `NEAR` without a number. */
export const usualNearDistance = 10;

/** Max tokens between the operands of NEAR. */
export const maxNearDistance = 1000;
