import {
  type Language,
  type ObjectTerms,
  spread,
  termsIn,
  textHash,
  type WordPlace,
} from '../../query/index.ts';

/** Number of counters: enough bits of a term's hash to keep most terms apart, in 1 MiB. */
const counters = 2 ** 18;

/** Counts are halved after this many objects, so that recent ones count more. */
const maxSeen = 65_536;

const slotOf = (term: string) => spread(textHash(term)) & (counters - 1);

/** The share of the seen objects that contain a term, in bounded memory. Shared counters only cost time. */
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
   * The share, above 0 and hardly above 1, over the terms of a word in the languages seen. An unseen word is
   * rarest, and a shorter unseen word counts as more frequent.
   */
  of({ word, attribute }: WordPlace): number {
    const seen = termsIn(word, this.#languages).reduce(
      (sum, term) => sum + (this.#counts[slotOf(term)] as number),
      0,
    );
    const counted = (seen + 1 / (1 + word.length)) / (this.#seen + 1);
    // One attribute is a small part of an object, but many objects share its values: `Type: html`.
    return attribute === undefined ? counted : Math.max(counted / 4, 1e-9);
  }
}
