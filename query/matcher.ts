import { scanWords, termOf } from './analysis.ts';

interface Place {
  /** Which phrase, and which word of it. */
  readonly phrase: number;
  readonly word: number;
}

/** Called for each place where a phrase stands; returning true ends the search. */
export type MatchVisitor = (phrase: number, start: number, end: number) => boolean;

/**
 * Find runs of terms in texts: phrase `i` stands where its terms follow each other in that order. A phrase of one
 * term is a word. Made once for a query, used on many texts.
 */
export class TermMatcher {
  readonly #phrases: readonly (readonly string[])[];
  readonly #places = new Map<string, Place[]>();
  readonly #firsts = new Uint8Array(128);

  constructor(phrases: readonly (readonly string[])[]) {
    this.#phrases = phrases;
    phrases.forEach((terms, phrase) => {
      // Later words first, so that a repeated term does not follow itself.
      for (let word = terms.length - 1; word >= 0; word--) {
        const term = terms[word] as string;
        const places = this.#places.get(term);
        if (places === undefined) this.#places.set(term, [{ phrase, word }]);
        else places.push({ phrase, word });
        const first = term.charCodeAt(0);
        if (first < 128) this.#firsts[first] = 1;
      }
    });
  }

  /** Visit every match in `text`, in the order of their ends; offsets are UTF-16 units of `text`. */
  search(text: string, visit: MatchVisitor): void {
    if (this.#places.size === 0) return;
    // For each phrase and word: the position its beginning has reached there, and where that began.
    const reached = this.#phrases.map((terms) => new Int32Array(terms.length).fill(-2));
    const began = this.#phrases.map((terms) => new Int32Array(terms.length));
    scanWords(
      text,
      (found, position, start, end) => {
        const places = this.#places.get(termOf(found));
        if (places === undefined) return false;
        for (const { phrase, word } of places) {
          const reach = reached[phrase] as Int32Array;
          const from = began[phrase] as Int32Array;
          if (word > 0 && reach[word - 1] !== position - 1) continue;
          reach[word] = position;
          from[word] = word === 0 ? start : (from[word - 1] as number);
          if (word === reach.length - 1 && visit(phrase, from[word] as number, end)) return true;
        }
        return false;
      },
      this.#firsts,
    );
  }

  /** Whether any of the phrases stands in `text`. */
  test(text: string): boolean {
    let found = false;
    this.search(text, () => {
      found = true;
      return true;
    });
    return found;
  }
}
