import { groupKey, groupsRange, wordKey, wordsRange } from './index-keys.ts';
import type { Segment } from './index-state.ts';
import type { LivingTerms } from './living-terms.ts';
import type { Pacing } from './pacing.ts';
import type { PostingDatabase } from './posting-database.ts';
import { compareUtf8, decodeWords, encodeWords, type WordCount, wordsPerBlock } from './word-blocks.ts';
import { blockText, GroupBlock, groupLines, groupOf, unitedWords, type WordGroup } from './word-groups.ts';
import type { WriteBatches } from './write-batches.ts';

/** Segments whose vocabularies become that of segment `id`, whose terms are written already. */
export interface VocabularyMerge {
  readonly database: PostingDatabase;
  readonly segments: readonly Segment[];
  readonly id: number;
  readonly batches: WriteBatches;
  readonly pacing: Pacing;
  readonly signal: AbortSignal;
  /** Which terms some object still has; undefined: all of them. */
  readonly living: LivingTerms | undefined;
}

const groupsAtOnce = 256;

/** Write the words of several segments as those of one; a word goes when its term stands in no object any more. */
export async function mergeWords(merge: VocabularyMerge): Promise<void> {
  const { database, segments, id, batches, pacing, signal, living } = merge;
  let block: WordCount[] = [];
  const flush = async () => {
    const kept = living === undefined ? block : await living.wordsWith(block, ([word]) => word);
    const first = kept[0];
    if (first !== undefined) await batches.put(wordKey(id, first[0]), encodeWords(kept));
    block = [];
  };
  const streams = segments.map((segment) => wordsOf(database, segment));
  for await (const counts of sideBySide(streams, ([word]) => word)) {
    signal.throwIfAborted();
    const [word] = counts[0] as WordCount;
    block.push([word, counts.reduce((sum, [, objects]) => sum + objects, 0)]);
    await pacing.pause(64);
    if (block.length >= wordsPerBlock) await flush();
  }
  if (block.length > 0) await flush();
}

/** The same for terms with their words. */
export async function mergeGroups(merge: VocabularyMerge): Promise<void> {
  const { database, segments, id, batches, pacing, signal, living } = merge;
  let waiting: WordGroup[] = [];
  let block: GroupBlock | undefined;
  const endBlock = async () => {
    if (block !== undefined) await batches.put(groupKey(id, block.first), block.take());
    block = undefined;
  };
  const flush = async () => {
    const kept = living === undefined ? waiting : await living.having(waiting, ({ term }) => term);
    for (const group of kept) {
      block ??= new GroupBlock(group.term);
      block.add(group);
      if (block.full) await endBlock();
    }
    waiting = [];
  };
  const streams = segments.map((segment) => groupsOfSegment(database, segment));
  for await (const groups of sideBySide(streams, ({ term }) => term)) {
    signal.throwIfAborted();
    waiting.push({ term: (groups[0] as WordGroup).term, words: unitedWords(groups) });
    await pacing.pause(64);
    if (waiting.length >= groupsAtOnce) await flush();
  }
  await flush();
  await endBlock();
}

/** What several ordered streams have of each text, texts in the order of their UTF-8. */
async function* sideBySide<Item>(
  streams: readonly AsyncGenerator<Item, undefined>[],
  textOf: (item: Item) => string,
): AsyncGenerator<readonly Item[], undefined> {
  try {
    const heads: (Item | undefined)[] = [];
    const advance = async (index: number) => {
      const next = await streams[index]?.next();
      heads[index] = next?.value;
    };
    for (const index of streams.keys()) await advance(index);
    for (;;) {
      let least: string | undefined;
      for (const head of heads) {
        const text = head === undefined ? undefined : textOf(head);
        if (text !== undefined && (least === undefined || compareUtf8(text, least) < 0)) least = text;
      }
      if (least === undefined) return;
      const same: Item[] = [];
      for (const [index, head] of heads.entries()) {
        if (head === undefined || textOf(head) !== least) continue;
        same.push(head);
        await advance(index);
      }
      yield same;
    }
  } finally {
    for (const stream of streams) await stream.return(undefined);
  }
}

async function* wordsOf(database: PostingDatabase, segment: Segment): AsyncGenerator<WordCount, undefined> {
  for await (const [, value] of database.entries(wordsRange(segment.id))) yield* decodeWords(value);
}

async function* groupsOfSegment(
  database: PostingDatabase,
  segment: Segment,
): AsyncGenerator<WordGroup, undefined> {
  for await (const [, value] of database.entries(groupsRange(segment.id)))
    for (const line of groupLines(blockText(value))) yield groupOf(line);
}
