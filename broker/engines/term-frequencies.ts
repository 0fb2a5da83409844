import type { CollectionStatistics } from '../search-engine.ts';
import { inverseFrequency } from './impact.ts';
import { fieldNames } from './index-fields.ts';
import type { PostingReader } from './posting-reader.ts';

/** In how many objects a term stands, and how often in all. */
export interface TermFrequency {
  readonly objects: number;
  readonly occurrences: number;
}

const keyOf = (field: string | undefined, term: string) => `${field} ${term}`;

/** How frequent terms are: in this index, or, where statistics of several are given, in all of them together. */
export class TermFrequencies {
  /** Objects in all. */
  readonly objects: number;
  readonly #reader: PostingReader;
  readonly #shared = new Map<string, TermFrequency>();

  constructor(reader: PostingReader, objects: number, shared?: CollectionStatistics) {
    this.#reader = reader;
    this.objects = Math.max(objects, shared?.objects ?? 0);
    for (const { field, term, ...frequency } of shared?.terms ?? [])
      this.#shared.set(keyOf(field, term), frequency);
  }

  async of(field: number, term: string): Promise<TermFrequency> {
    const { docnos, occurrences } = await this.#reader.postings(field, term);
    const shared = this.#shared.get(keyOf(fieldNames[field], term));
    // What stands here is known better than what was told.
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
