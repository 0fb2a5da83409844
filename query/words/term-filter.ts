import type { TokenVisitor } from './analysis.ts';
import { textHash } from './word-hash.ts';

const hashes = 65_536;

/** A hash of a term below 65,536. */
export function termHash(stem: string): number {
  const hash = textHash(stem);
  return (hash ^ (hash >>> 16)) & (hashes - 1);
}

/** How every word of an English stem begins: Porter's stemmer only writes `i`, `e` and `ble`. */
export function beginningOf(stem: string): string {
  const kept = stem.length > 1 && /[ei]$/.test(stem) ? stem.slice(0, -1) : stem;
  return kept.endsWith('bl') ? kept.slice(0, -1) : kept;
}

/** The stems to look up in a table of term places. */
export class WantedTerms {
  /** Their hashes, each once. */
  readonly hashes: readonly number[];
  /** The beginnings of the words of English stems; none of them is a prefix of another. */
  readonly beginnings: readonly string[];

  constructor(stems: Iterable<string>) {
    const all = [...stems];
    this.hashes = [...new Set(all.map(termHash))];
    const beginnings = new Set(all.map(beginningOf));
    this.beginnings = [...beginnings].filter(
      (one) => ![...beginnings].some((other) => other !== one && one.startsWith(other)),
    );
  }
}

/** Finds terms in a text without reading all of it. */
export interface TermPlaces {
  /**
   * Visit the tokens with the wanted terms, in order, and perhaps some others. Positions only show which
   * tokens are adjacent: positions of neighbours differ by one, those of others by more.
   */
  visit(wanted: WantedTerms, visit: TokenVisitor): void;
}

/** Called for each match, with UTF-16 offsets and the leaf's index. Return true to end the search. */
export type TextVisitor = (leaf: number, start: number, end: number) => boolean;

/** Leaves of a query compiled for many texts; known places of terms in the text save reading it. */
export interface TextMatcher {
  /** Whether any of them is in `text`. */
  test(text: string, places?: TermPlaces): boolean;
  /** Visit every match, in the order of their ends. */
  search(text: string, visit: TextVisitor, places?: TermPlaces): void;
}
