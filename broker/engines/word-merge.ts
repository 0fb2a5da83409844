import { type Language, termsIn } from '../../query/index.ts';
import { allField } from './index-fields.ts';
import { blockKey, termKey, wordKey, wordsRange } from './index-keys.ts';
import type { Segment } from './index-state.ts';
import type { Pacing } from './pacing.ts';
import type { PostingDatabase } from './posting-database.ts';
import { SegmentDirectory } from './segment-directory.ts';
import { presentInBlock } from './term-block.ts';
import { decodeWords, encodeWords, type WordCount, wordsPerBlock } from './word-blocks.ts';
import type { WriteBatches } from './write-batches.ts';

/**
 * Write the words of several segments as those of segment `id`, whose terms are written already. `languages` are those of
 * living objects.
 */
export async function mergeWords(
  database: PostingDatabase,
  segments: readonly Segment[],
  id: number,
  languages: readonly Language[],
  batches: WriteBatches,
  pacing: Pacing,
  signal: AbortSignal,
): Promise<void> {
  const purge = segments.some(({ dead }) => dead > 0);
  const directory = purge ? await SegmentDirectory.load(database, id) : undefined;
  let block: WordCount[] = [];
  const flush = async () => {
    let kept: readonly WordCount[] = block;
    // A word goes when its term, in whatever language, stands in no living object any more.
    if (directory !== undefined) kept = await withTerms(database, id, directory, languages, block);
    const first = kept[0];
    if (first !== undefined) await batches.put(wordKey(id, first[0]), encodeWords(kept));
    block = [];
  };
  for await (const count of mergedWords(database, segments)) {
    signal.throwIfAborted();
    block.push(count);
    await pacing.pause(64);
    if (block.length >= wordsPerBlock) await flush();
  }
  if (block.length > 0) await flush();
}

/** Words of several segments in byte order, counts added up. */
async function* mergedWords(
  database: PostingDatabase,
  segments: readonly Segment[],
): AsyncGenerator<WordCount> {
  const streams = segments.map((segment) => wordsOf(database, segment));
  try {
    const heads: ({ count: WordCount; bytes: Buffer } | undefined)[] = [];
    const advance = async (index: number) => {
      const next = await streams[index]?.next();
      heads[index] =
        next === undefined || next.done === true
          ? undefined
          : { count: next.value, bytes: Buffer.from(next.value[0]) };
    };
    for (const index of streams.keys()) await advance(index);
    for (;;) {
      let least: { count: WordCount; bytes: Buffer } | undefined;
      for (const head of heads)
        if (head !== undefined && (least === undefined || Buffer.compare(head.bytes, least.bytes) < 0))
          least = head;
      if (least === undefined) return;
      let objects = 0;
      for (const [index, head] of heads.entries()) {
        if (head === undefined || head.count[0] !== least.count[0]) continue;
        objects += head.count[1];
        await advance(index);
      }
      yield [least.count[0], objects];
    }
  } finally {
    for (const stream of streams) await stream.return(undefined);
  }
}

async function* wordsOf(database: PostingDatabase, segment: Segment): AsyncGenerator<WordCount, undefined> {
  for await (const [, value] of database.entries(wordsRange(segment.id))) yield* decodeWords(value);
}

/** Those words whose terms a segment has. */
async function withTerms(
  database: PostingDatabase,
  segment: number,
  directory: SegmentDirectory,
  languages: readonly Language[],
  words: readonly WordCount[],
): Promise<readonly WordCount[]> {
  const terms = words.flatMap(([word], index) =>
    termsIn(word, languages).map((term) => {
      const key = termKey(allField, term);
      return { index, key, place: directory.blockOf(key) };
    }),
  );
  const numbers = [...new Set(terms.map(({ place }) => place))].filter((block) => block !== undefined);
  const values = await database.getMany(numbers.map((block) => blockKey(segment, block)));
  const blocks = new Map(numbers.map((block, index) => [block, values[index]]));
  const present = new Array<boolean>(words.length).fill(false);
  for (const [place, block] of blocks) {
    const own = terms.filter((term) => term.place === place).sort((a, b) => Buffer.compare(a.key, b.key));
    const keys = own.map(({ key }) => key);
    const found = block && presentInBlock(block, keys);
    for (const [order, { index }] of own.entries()) if (found?.[order] === true) present[index] = true;
  }
  return words.filter((_, index) => present[index]);
}
