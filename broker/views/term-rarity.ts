import {
  type Language,
  type ObjectTerms,
  spread,
  termsIn,
  textHash,
  type WordPlace,
} from '../../query/index.ts';

/** Counters, as many bits of a term's hash as tell them apart well enough: 1 MiB. */
const counters = 2 ** 18;

/** Counts are halved when so many objects were seen, so that the latest ones count most. */
const maxSeen = 65_536;

const slotOf = (term: string) => spread(textHash(term)) & (counters - 1);

/**
 * In what part of the objects seen a term stands, in a fixed amount of memory. Terms that share a counter look more
 * frequent than they are, which costs time and nothing else.
 */
export class TermRarity {
  readonly #counts = new Uint32Array(counters);
  readonly #languages = new Set<Language>();
  #seen = 0;

  note(terms: ObjectTerms): void {
    if (this.#seen >= maxSeen) {
      for (let i = 0; i < counters; i++) this.#counts[i] = (this.#counts[i] as number) >>> 1;
      this.#seen >>>= 1;
    }
    this.#seen++;
    this.#languages.add(terms.language);
    for (const term of terms.bare) {
      const slot = slotOf(term);
      this.#counts[slot] = (this.#counts[slot] as number) + 1;
    }
  }

  /**
   * Above 0 and hardly above 1, over the terms that a word has in the languages seen; what was never seen is rarest, and of
   * it the shorter word is the more frequent one.
   */
  of({ word, attribute }: WordPlace): number {
    const seen = termsIn(word, this.#languages).reduce(
      (sum, term) => sum + (this.#counts[slotOf(term)] as number),
      0,
    );
    const counted = (seen + 1 / (1 + word.length)) / (this.#seen + 1);
    // One attribute is a small part of an object, but what it holds is shared by many: `Type: html`.
    return attribute === undefined ? counted : Math.max(counted / 4, 1e-9);
  }
}
