import { combineLiterals, piecesIn, Regex, type SetAlgebra, StepBudget } from '../regex/index.ts';
import type { RegexNode } from '../syntax/index.ts';

/** What the words of every text are like that a regular expression matches. */
export interface RegexLiterals {
  /** Pieces of normalised words, in small letters. */
  readonly pieces: readonly string[];
  /**
   * Whoever may match, from the sets of those that have a piece inside a word; undefined: of a piece, or of all, nothing
   * can be told. Whoever has a word that was cut at `maxWordLength` has every piece.
   */
  combine<Holders>(
    holdersOf: (piece: string) => Holders | undefined,
    sets: SetAlgebra<Holders>,
  ): Holders | undefined;
}

/** What tells the words that an expression is about. */
export interface WordTester {
  /** One of these stands in every such word, in small letters. */
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

/** The literals that a regular expression demands; undefined when none can be told. Throws QUERY_REGEX. */
export function regexLiterals(leaf: RegexNode): RegexLiterals | undefined {
  const plan = new Regex(leaf.pattern, leaf).literals();
  if (plan === undefined) return undefined;
  return {
    pieces: piecesIn(plan),
    combine: (holdersOf, sets) => combineLiterals(plan, holdersOf, sets),
  };
}
