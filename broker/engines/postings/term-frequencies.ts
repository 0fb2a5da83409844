import { fieldNames } from '../index-database/index-fields.ts';
import type { CollectionStatistics } from '../model/search-engine.ts';
import { inverseFrequency } from './impact.ts';
import { memoised } from './posting-cache.ts';
import type { PostingReader } from './posting-reader.ts';

/** The number of objects with a term, and of all its occurrences. */
export interface TermFrequency {
  readonly objects: number;
  readonly occurrences: number;
}

const keyOf = (field: string | undefined, term: string) => `${field} ${term}`;

/** Frequencies of terms: in this index or, with statistics of several, in all of them together. */
export class TermFrequencies {
  readonly objects: number;
  readonly #reader: PostingReader;
  readonly #shared = new Map<string, TermFrequency>();
  readonly #alike = new Map<string, readonly string[]>();
  readonly #single = new Map<string, Promise<TermFrequency>>();
  readonly #joined = new Map<string, Promise<TermFrequency>>();

  constructor(reader: PostingReader, objects: number, shared?: CollectionStatistics) {
    this.#reader = reader;
    this.objects = Math.max(objects, shared?.objects ?? 0);
    for (const { field, term, ...frequency } of shared?.terms ?? [])
      this.#shared.set(keyOf(field, term), frequency);
  }

  /** Give these terms, one word of a query in several languages, their frequency together. */
  join(terms: readonly string[]): void {
    this.#joined.clear();
    for (const term of terms) if (!this.#alike.has(term)) this.#alike.set(term, terms);
  }

  /** Of a term, with those joined to it. */
  of(field: number, term: string): Promise<TermFrequency> {
    return memoised(this.#joined, `${field} ${term}`, () => this.#together(field, term));
  }

  async #together(field: number, term: string): Promise<TermFrequency> {
    const alike = this.#alike.get(term);
    if (alike === undefined) return this.alone(field, term);
    const counts = await Promise.all(alike.map((one) => this.alone(field, one)));
    return {
      // An object is in one language, so it has only one of them.
      objects: counts.reduce((sum, { objects }) => sum + objects, 0),
      occurrences: counts.reduce((sum, { occurrences }) => sum + occurrences, 0),
    };
  }

  /** Of a term by itself. */
  alone(field: number, term: string): Promise<TermFrequency> {
    return memoised(this.#single, `${field} ${term}`, () => this.#counted(field, term));
  }

  async #counted(field: number, term: string): Promise<TermFrequency> {
    const { docnos, occurrences } =
      this.#reader.held(field, term) ?? (await this.#reader.postings(field, term));
    const shared = this.#shared.get(keyOf(fieldNames[field], term));
    // This index's own counts are exact, unlike the given ones.
    return {
      objects: Math.max(docnos.length, shared?.objects ?? 0),
      occurrences: Math.max(occurrences, shared?.occurrences ?? 0),
    };
  }

  /** BM25's inverse frequency of a term. */
  async inverse(field: number, term: string): Promise<number> {
    return inverseFrequency(this.objects, (await this.of(field, term)).objects);
  }
}
