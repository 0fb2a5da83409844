import type { TermPlaces } from './term-filter.ts';

/** Called for each match, with UTF-16 offsets; `leaf` counts what the matcher was made for. True ends the search. */
export type TextVisitor = (leaf: number, start: number, end: number) => boolean;

/** Leaves of a query made ready to be looked for in many texts; places of terms in the text, when they are known, save reading it. */
export interface TextMatcher {
  /** Whether any of them stands in `text`. */
  test(text: string, places?: TermPlaces): boolean;
  /** Visit every match, in the order of their ends. */
  search(text: string, visit: TextVisitor, places?: TermPlaces): void;
}
