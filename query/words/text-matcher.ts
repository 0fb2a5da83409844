import type { TermPlaces } from './term-filter.ts';

/**
 * Called for each match, with UTF-16 offsets; `leaf` is an index into the leaves of the matcher. Return true
 * to end the search.
 */
export type TextVisitor = (leaf: number, start: number, end: number) => boolean;

/** Leaves of a query compiled for many texts; known places of terms in the text save reading it. */
export interface TextMatcher {
  /** Whether any of them is in `text`. */
  test(text: string, places?: TermPlaces): boolean;
  /** Visit every match, in the order of their ends. */
  search(text: string, visit: TextVisitor, places?: TermPlaces): void;
}
