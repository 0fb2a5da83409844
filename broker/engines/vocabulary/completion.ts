import { type Language, termsIn } from '../../../query/index.ts';
import { allField } from '../index-database/index-fields.ts';
import { wordPrefixRange, wordsRange } from '../index-database/index-keys.ts';
import type { Segment } from '../index-database/index-state.ts';
import type { PostingDatabase, PostingRows } from '../index-database/posting-database.ts';
import type { PostingReader } from '../postings/posting-reader.ts';
import { decodeWords, type WordCount, wordsPerBlock } from './word-blocks.ts';

/** Words offered to people: they begin with a letter and are neither a sign nor a hash. */
const offerable = /^\p{L}.{1,31}$/u;

// A short prefix in a large vocabulary is answered from its first words only.
const maxWordsLookedAt = 50_000;

/** Blocks of a segment that may contain words with `prefix`: its own block, then the following ones. */
export async function* wordBlocks(
  database: PostingDatabase,
  segment: Segment,
  prefix: string,
): AsyncGenerator<Uint8Array> {
  const { gte, lt } = wordPrefixRange(segment.id, prefix);
  const before = { gte: wordsRange(segment.id).gte, lt: gte, reverse: true, limit: 1 };
  for await (const [, value] of database.entries(before)) yield value;
  for await (const [, value] of database.entries({ gte, lt })) yield value;
}

/** The words that bare words find, segment by segment, in the order of the words. */
export async function* indexedWords(
  rows: PostingRows,
  segments: readonly Segment[],
): AsyncGenerator<WordCount> {
  for (const { id } of segments)
    for await (const [, block] of rows.entries(wordsRange(id)))
      for (const one of decodeWords(block)) if (one[1] > 0) yield one;
}

/** The words of a block that bare words find and that may be offered to people. */
export const offeredWords = (block: Uint8Array): WordCount[] =>
  decodeWords(block).filter(([word, objects]) => objects > 0 && offerable.test(word));

export interface IndexedWords {
  readonly database: PostingDatabase;
  readonly segments: readonly Segment[];
  readonly languages: readonly Language[];
  readonly isAlive: (docno: number) => boolean;
}

/**
 * Words as written that begin with `prefix`, by the number of objects with them (dead ones are counted until
 * their segment is merged). A word without living objects is left out.
 */
export async function completions(
  { database, segments, languages, isAlive }: IndexedWords,
  reader: PostingReader,
  prefix: string,
  limit: number,
): Promise<string[]> {
  const counts = new Map<string, number>();
  let seen = 0;
  for (const segment of segments) {
    for await (const block of wordBlocks(database, segment, prefix)) {
      for (const [word, objects] of offeredWords(block))
        if (word.startsWith(prefix)) counts.set(word, (counts.get(word) ?? 0) + objects);
      seen += wordsPerBlock;
      if (seen > maxWordsLookedAt) break;
    }
  }
  const ordered: WordCount[] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const words: string[] = [];
  for (const [word] of ordered) {
    if (words.length >= limit) break;
    for (const term of termsIn(word, languages)) {
      const { docnos } = await reader.postings(allField, term);
      if (!docnos.some(isAlive)) continue;
      words.push(word);
      break;
    }
  }
  return words;
}
