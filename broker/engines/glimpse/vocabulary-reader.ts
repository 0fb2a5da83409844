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
  /** Of each term in how many blocks it stands. */
  readonly blocks: readonly number[];
  /** By the first two units of a word, the terms that have such words. */
  readonly byBeginning: ReadonlyMap<string, readonly number[]>;
}

/** A word that stands in a segment. */
export interface StandingWord {
  readonly word: string;
  readonly term: string;
  /** In how many blocks its term stands. */
  readonly blocks: number;
}

const beginningUnits = 2;

// What a string and its place in two arrays take.
const bytesPerTerm = 100;
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

  /** The words of each segment that begin so; the event loop turns where a vocabulary is read. */
  async *beginning(kind: VocabularyKind, prefix: string): AsyncGenerator<StandingWord> {
    const beginning = prefix.slice(0, beginningUnits);
    for (const segment of this.#segments) {
      const { terms, words, blocks, byBeginning } = await this.#words(segment, kind);
      const groups =
        prefix.length < beginningUnits
          ? [...byBeginning.keys()].filter((key) => key.startsWith(beginning))
          : [beginning];
      for (const at of new Set(groups.flatMap((key) => byBeginning.get(key) ?? [])))
        for (const word of words[at] as readonly string[])
          if (word.startsWith(prefix))
            yield { word, term: terms[at] as string, blocks: blocks[at] as number };
    }
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
    const blocks: number[] = [];
    const byBeginning = new Map<string, number[]>();
    for await (const [, value] of this.#database.entries(vocabularyRange(segment.id, kind)))
      for (const entry of decodeEntries(value, segment.from >>> this.#blockBits)) {
        const own = entry.words.map(({ word }) => word);
        for (const beginning of new Set(own.map((word) => word.slice(0, beginningUnits)))) {
          const known = byBeginning.get(beginning);
          if (known === undefined) byBeginning.set(beginning, [terms.length]);
          else known.push(terms.length);
        }
        terms.push(entry.term);
        words.push(own);
        blocks.push(entry.blocks.length);
      }
    const read = { terms, words, blocks, byBeginning };
    this.#cache.set(key, read);
    return read;
  }
}

// Beyond so many, reading all of a segment costs less than looking each up.
const mostLookedUp = 256;
