import { combineLiterals, piecesIn, Regex, type SetAlgebra, StepBudget } from '../regex/index.ts';
import type { RegexNode } from '../syntax/index.ts';

/** The properties of the words in every text that a regular expression matches. */
export interface RegexLiterals {
  /** Pieces of normalised words, in small letters. */
  readonly pieces: readonly string[];
  /**
   * The candidates, from the sets of objects that have a piece inside a word; undefined when nothing is known
   * of a piece, or of all. An object with a word cut at `maxWordLength` counts as having every piece.
   */
  combine<Holders>(
    holdersOf: (piece: string) => Holders | undefined,
    sets: SetAlgebra<Holders>,
  ): Holders | undefined;
}

export interface WordTester {
  /** Every such word contains one of these, in lower case. */
  readonly pieces: readonly string[];
  /** Whether the expression matches in a normalised word. Throws QUERY_COSTLY. */
  readonly passes: (word: string) => boolean;
}

/** Undefined where the expression demands no piece of a word. */
export function wordTester({ pattern }: RegexNode): WordTester | undefined {
  const regex = new Regex(pattern, { budget: new StepBudget() });
  const plan = regex.literals();
  return plan && { pieces: piecesIn(plan), passes: (word) => regex.test(word) };
}

/** The literals that a regular expression requires; undefined when there are none. Throws QUERY_REGEX. */
export function regexLiterals(leaf: RegexNode): RegexLiterals | undefined {
  const plan = new Regex(leaf.pattern, leaf).literals();
  if (plan === undefined) return undefined;
  return {
    pieces: piecesIn(plan),
    combine: (holdersOf, sets) => combineLiterals(plan, holdersOf, sets),
  };
}
