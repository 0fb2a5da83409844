import type { Language } from '../../../query/index.ts';
import type { Segment } from '../index-database/index-state.ts';
import type { PostingDatabase, PostingRows } from '../index-database/posting-database.ts';
import type { WordCount } from '../model/search-engine.ts';
import type { PostingCache } from '../postings/posting-cache.ts';
import { languageKind, vocabularyKey, vocabularyRange } from './glimpse-keys.ts';
import type { ObjectList, ObjectSpan } from './object-lists.ts';
import { SegmentWords } from './segment-words.ts';
import { VocabularyBlock, type VocabularyEntry } from './vocabulary-block.ts';
import { VocabularyKind } from './vocabulary-writer.ts';
import type { TextFilter } from './word-filter.ts';

export interface StandingWord {
  readonly word: string;
  readonly term: string;
  /** The objects of its term. */
  readonly list: () => ObjectList;
}

/** The objects of a segment, whose common words list blocks of 2^`blockBits` objects. */
export const spanOf = ({ from, to }: Segment, blockBits: number): ObjectSpan => ({ from, to, blockBits });

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
      return new VocabularyBlock(value, spanOf(segment, this.#blockBits)).find(term);
    return undefined;
  }

  /** The words of each segment with this prefix. Yields to the event loop where a vocabulary is read. */
  async *beginning(kind: VocabularyKind, prefix: string): AsyncGenerator<StandingWord> {
    for (const segment of this.#segments) {
      const words = await this.#words(segment, kind);
      for (const { word, term } of words.beginning(prefix))
        yield { word, term: words.term(term), list: () => words.list(term) };
    }
  }

  /** The entries of all terms that a filter accepts. */
  async *scan(kind: VocabularyKind, filter: TextFilter): AsyncGenerator<VocabularyEntry> {
    for (const segment of this.#segments) {
      const words = await this.#words(segment, kind);
      for (const at of words.wanted(filter)) yield words.entry(at);
    }
  }

  /** The objects in one of these languages. */
  async *objectsIn(languages: readonly Language[]): AsyncGenerator<ObjectList> {
    for (const segment of this.#segments) {
      const known = await this.#words(segment, languageKind, 0);
      for (let at = 0; at < known.length; at++)
        if (languages.some((language) => language === known.term(at))) yield known.list(at);
    }
  }

  async #words(segment: Segment, kind: number, blockBits = this.#blockBits): Promise<SegmentWords> {
    const key = `${segment.id} ${kind}`;
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const read = await SegmentWords.of(this.#blocks(segment, kind, blockBits));
    this.#cache.set(key, read);
    return read;
  }

  #blocks(segment: Segment, kind: number, blockBits: number): AsyncGenerator<VocabularyBlock> {
    return blocksOf(this.#database, segment, kind, blockBits);
  }
}

async function* blocksOf(rows: PostingRows, segment: Segment, kind: number, blockBits: number) {
  const span = spanOf(segment, blockBits);
  for await (const [, value] of rows.entries(vocabularyRange(segment.id, kind)))
    yield new VocabularyBlock(value, span);
}

/** A word for each term that bare words find, segment by segment, with the objects that may have the term. */
export async function* indexedWords(
  rows: PostingRows,
  segments: readonly Segment[],
  blockBits: number,
): AsyncGenerator<WordCount> {
  for (const segment of segments)
    for await (const block of blocksOf(rows, segment, VocabularyKind.bare, blockBits))
      for (const { words, list } of block.entries()) {
        const [first] = words;
        const objects = Math.min(list.blocks.length << list.blockBits, segment.docs);
        if (first !== undefined) yield [first.word, objects];
      }
}
