import { scanWords, stemOf, type TokenVisitor } from './analysis.ts';
import type { Language } from './languages.ts';
import { type TermPlaces, termHash, type WantedTerms } from './term-filter.ts';

const firstRoom = 256;
/** Max number of different hashes. */
const maxBuckets = 65_536;

/**
 * The tokens of a text by a hash of their stems in the text's language. It finds terms in as many steps as
 * they have tokens, and takes 10 bytes a token. It is valid only for the text that it was made of.
 */
export class TokenTable implements TermPlaces {
  readonly #text: string;
  /** By position: the offset where the token begins. */
  readonly #starts: Uint32Array;
  /** By position: the hash of its stem. */
  readonly #terms: Uint16Array;
  /** The positions of the tokens, bucket by bucket, ascending in each; a bucket has the hashes with its lowest bits. */
  readonly #positions: Uint32Array;
  /** Where each bucket ends in `#positions`. */
  readonly #ends: Uint32Array;

  constructor(text: string, language: Language) {
    let terms = new Uint16Array(firstRoom);
    let starts = new Uint32Array(firstRoom);
    const count = scanWords(text, (word, position, start) => {
      if (position === terms.length) {
        const [oldTerms, oldStarts] = [terms, starts];
        terms = new Uint16Array(2 * position);
        terms.set(oldTerms);
        starts = new Uint32Array(2 * position);
        starts.set(oldStarts);
      }
      terms[position] = termHash(stemOf(word, language));
      starts[position] = start;
      return false;
    });
    this.#text = text;
    this.#terms = terms.slice(0, count);
    this.#starts = starts.slice(0, count);
    const buckets = Math.min(maxBuckets, 2 ** Math.ceil(Math.log2(count + 1)));
    const ends = new Uint32Array(buckets + 1);
    for (const term of this.#terms) (ends[(term & (buckets - 1)) + 1] as number)++;
    for (let bucket = 1; bucket <= buckets; bucket++)
      ends[bucket] = (ends[bucket] as number) + (ends[bucket - 1] as number);
    this.#positions = new Uint32Array(count);
    for (let position = 0; position < count; position++) {
      const bucket = (this.#terms[position] as number) & (buckets - 1);
      this.#positions[ends[bucket] as number] = position;
      (ends[bucket] as number)++;
    }
    this.#ends = ends;
  }

  visit({ hashes }: WantedTerms, visit: TokenVisitor): void {
    const lists = hashes.map((hash) => ({ hash, ...this.#bucketOf(hash) }));
    for (;;) {
      let first = Number.POSITIVE_INFINITY;
      for (const list of lists) {
        while (list.at < list.end && this.#terms[this.#positions[list.at] as number] !== list.hash) list.at++;
        if (list.at < list.end) first = Math.min(first, this.#positions[list.at] as number);
      }
      if (first === Number.POSITIVE_INFINITY) return;
      for (const list of lists) if (list.at < list.end && this.#positions[list.at] === first) list.at++;
      if (this.#visitOne(first, visit)) return;
    }
  }

  #bucketOf(hash: number): { at: number; readonly end: number } {
    const bucket = hash & (this.#ends.length - 2);
    return { at: bucket === 0 ? 0 : (this.#ends[bucket - 1] as number), end: this.#ends[bucket] as number };
  }

  /** Read one token again; text before its beginning has no influence. */
  #visitOne(position: number, visit: TokenVisitor): boolean {
    const start = this.#starts[position] as number;
    // A character may become several, which make tokens with one beginning.
    let before = 0;
    while (before < position && this.#starts[position - before - 1] === start) before++;
    let ended = false;
    scanWords(this.#text.slice(start), (word, at, from, to, written) => {
      if (at < before) return false;
      ended = visit(word, position, start + from, start + to, written);
      return true;
    });
    return ended;
  }
}
