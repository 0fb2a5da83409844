import type { TokenVisitor } from './analysis.ts';
import { textHash } from './word-hash.ts';

const hashes = 65_536;

/** A hash of a term below 65,536. */
export function termHash(stem: string): number {
  const hash = textHash(stem);
  return (hash ^ (hash >>> 16)) & (hashes - 1);
}

/** How every word of an English stem begins: Porter's stemmer writes no other letters than `i`, `e` and `ble`. */
export function beginningOf(stem: string): string {
  const kept = stem.length > 1 && /[ei]$/.test(stem) ? stem.slice(0, -1) : stem;
  return kept.endsWith('bl') ? kept.slice(0, -1) : kept;
}

/** Stems as what knows the places of terms in a text is asked for them. */
export class WantedTerms {
  /** Their hashes, each once. */
  readonly hashes: readonly number[];
  /** With what the words of English stems begin; none of them begins with another. */
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

/** What of a text finds terms in it without reading it all. */
export interface TermPlaces {
  /**
   * Visit the tokens whose terms are wanted, in order, and perhaps some others. Positions only tell which tokens follow
   * each other: those of neighbours differ by one, those of others by more.
   */
  visit(wanted: WantedTerms, visit: TokenVisitor): void;
}
