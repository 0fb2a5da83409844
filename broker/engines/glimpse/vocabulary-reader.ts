import type { Segment } from '../index-state.ts';
import type { PostingCache } from '../posting-cache.ts';
import type { PostingDatabase } from '../posting-database.ts';
import { vocabularyKey, vocabularyRange } from './glimpse-keys.ts';
import { decodeEntries, type VocabularyEntry } from './vocabulary-block.ts';
import type { VocabularyKind } from './vocabulary-writer.ts';

/** Terms with their words, of one vocabulary of one segment: what a scan for words looks at. */
export interface SegmentWords {
  readonly terms: readonly string[];
  /** Of each term its words. */
  readonly words: readonly (readonly string[])[];
}

// What a string and its place in two arrays take.
const bytesPerTerm = 80;
const bytesPerWord = 40;

export function wordsBytes({ words }: SegmentWords): number {
  return words.reduce((sum, list) => sum + bytesPerTerm + list.length * bytesPerWord, 0);
}

/** Told of a term's words: whether the term is wanted. */
export type TermFilter = (term: string, words: readonly string[]) => boolean;

/** Reads vocabularies of the segments of one moment. */
export class VocabularyReader {
  readonly #database: PostingDatabase;
  readonly #segments: readonly Segment[];
  readonly #blockBits: number;
  readonly #cache: PostingCache<SegmentWords>;

  constructor(
    database: PostingDatabase,
    segments: readonly Segment[],
    blockBits: number,
    cache: PostingCache<SegmentWords>,
  ) {
    this.#database = database;
    this.#segments = segments;
    this.#blockBits = blockBits;
    this.#cache = cache;
  }

  /** The entry of a term in each segment that has it. */
  async term(kind: VocabularyKind, term: string): Promise<readonly VocabularyEntry[]> {
    const found: VocabularyEntry[] = [];
    for (const segment of this.#segments) {
      const entry = await this.#entry(segment, kind, term);
      if (entry !== undefined) found.push(entry);
    }
    return found;
  }

  async #entry(segment: Segment, kind: VocabularyKind, term: string): Promise<VocabularyEntry | undefined> {
    const { gte } = vocabularyRange(segment.id, kind);
    const after = Buffer.concat([vocabularyKey(segment.id, kind, term), Buffer.from([0])]);
    for await (const [, value] of this.#database.entries({ gte, lt: after, reverse: true, limit: 1 }))
      for (const entry of decodeEntries(value, segment.from >>> this.#blockBits))
        if (entry.term === term) return entry;
    return undefined;
  }

  /** The entries of all terms that a filter wants. */
  async *scan(kind: VocabularyKind, wanted: TermFilter): AsyncGenerator<VocabularyEntry> {
    for (const segment of this.#segments) {
      const { terms, words } = await this.#words(segment, kind);
      const found = terms.filter((term, index) => wanted(term, words[index] as readonly string[]));
      if (found.length > mostLookedUp) yield* this.#among(segment, kind, new Set(found));
      else
        for (const term of found) {
          const entry = await this.#entry(segment, kind, term);
          if (entry !== undefined) yield entry;
        }
    }
  }

  async *#among(
    segment: Segment,
    kind: VocabularyKind,
    terms: ReadonlySet<string>,
  ): AsyncGenerator<VocabularyEntry> {
    for await (const [, value] of this.#database.entries(vocabularyRange(segment.id, kind)))
      for (const entry of decodeEntries(value, segment.from >>> this.#blockBits))
        if (terms.has(entry.term)) yield entry;
  }

  async #words(segment: Segment, kind: VocabularyKind): Promise<SegmentWords> {
    const key = `${segment.id} ${kind}`;
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const terms: string[] = [];
    const words: (readonly string[])[] = [];
    for await (const [, value] of this.#database.entries(vocabularyRange(segment.id, kind)))
      for (const entry of decodeEntries(value, segment.from >>> this.#blockBits)) {
        terms.push(entry.term);
        words.push(entry.words.map(({ word }) => word));
      }
    const read = { terms, words };
    this.#cache.set(key, read);
    return read;
  }
}

// Beyond so many, reading all of a segment costs less than looking each up.
const mostLookedUp = 256;
