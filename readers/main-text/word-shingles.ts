const maxWords = 20_000;

/** The words of a text in lower case, without punctuation. */
export function plainWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The runs of three words of a text, to measure how much of another text was taken from it. */
export class ShingleSet {
  readonly #shingles = new Set<string>();

  constructor(text: string) {
    const words = plainWords(text).slice(0, maxWords);
    for (let at = 0; at + 2 < words.length; at++)
      this.#shingles.add(`${words[at]} ${words[at + 1]} ${words[at + 2]}`);
  }

  get isEmpty(): boolean {
    return this.#shingles.size === 0;
  }

  /** The share of the three-word runs of `words` in this set; -1 when the set is empty or there are fewer words. */
  cover(words: readonly string[]): number {
    if (this.isEmpty || words.length < 3) return -1;
    let found = 0;
    for (let at = 0; at + 2 < words.length; at++)
      if (this.#shingles.has(`${words[at]} ${words[at + 1]} ${words[at + 2]}`)) found++;
    return found / (words.length - 2);
  }
}
