import type { Pacing } from '../../../kernel/index.ts';
import { groupKey, groupsRange, wordKey, wordsRange } from '../index-database/index-keys.ts';
import type { Segment } from '../index-database/index-state.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import type { WriteBatches } from '../index-database/write-batches.ts';
import type { LivingTerms } from '../postings/living-terms.ts';
import { compareUtf8, decodeWords, encodeWords, type WordCount, wordsPerBlock } from './word-blocks.ts';
import { blockText, GroupBlock, groupLines, groupOf, unitedWords, type WordGroup } from './word-groups.ts';

/** Segments whose vocabularies become that of segment `id`, whose terms are written already. */
export interface VocabularyMerge {
  readonly database: PostingDatabase;
  readonly segments: readonly Segment[];
  readonly id: number;
  readonly batches: WriteBatches;
  readonly pacing: Pacing;
  readonly signal: AbortSignal;
  /** The terms that some object still has; undefined: all of them. */
  readonly living: LivingTerms | undefined;
}

const groupsAtOnce = 256;

/** Merge the words of several segments. A word is dropped when no object has its term any longer. */
export async function mergeWords(merge: VocabularyMerge): Promise<void> {
  const { database, segments, id, batches, pacing, signal, living } = merge;
  let block: WordCount[] = [];
  const flush = async () => {
    const remaining = living === undefined ? block : await living.wordsWith(block, ([word]) => word);
    const first = remaining[0];
    if (first !== undefined) await batches.put(wordKey(id, first[0]), encodeWords(remaining));
    block = [];
  };
  await using streams = new SideBySide(
    segments.map((segment) => wordsOf(database, segment)),
    ([word]) => word,
  );
  for (;;) {
    const loading = streams.load();
    if (loading !== undefined) await loading;
    const counts = streams.next();
    if (counts === undefined) break;
    const [word] = counts[0] as WordCount;
    block.push([word, counts.reduce((sum, [, objects]) => sum + objects, 0)]);
    const pause = pacing.pause(64);
    if (pause !== undefined) await pause;
    signal.throwIfAborted();
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
    const remaining = living === undefined ? waiting : await living.having(waiting, ({ term }) => term);
    for (const group of remaining) {
      block ??= new GroupBlock(group.term);
      block.add(group);
      if (block.full) await endBlock();
    }
    waiting = [];
  };
  await using streams = new SideBySide(
    segments.map((segment) => groupsOfSegment(database, segment)),
    ({ term }) => term,
  );
  for (;;) {
    const loading = streams.load();
    if (loading !== undefined) await loading;
    const groups = streams.next();
    if (groups === undefined) break;
    waiting.push({ term: (groups[0] as WordGroup).term, words: unitedWords(groups) });
    const pause = pacing.pause(64);
    if (pause !== undefined) await pause;
    signal.throwIfAborted();
    if (waiting.length >= groupsAtOnce) await flush();
  }
  await flush();
  await endBlock();
}

type Blocks<Item> = AsyncGenerator<readonly Item[], undefined>;

/** The head of one stream: an item of a block in memory. */
interface Head<Item> {
  readonly blocks: Blocks<Item>;
  block: readonly Item[];
  at: number;
  ended: boolean;
}

/** Items of several ordered streams, joined by text in the order of UTF-8. Waits once a block. */
class SideBySide<Item> implements AsyncDisposable {
  readonly #heads: readonly Head<Item>[];
  readonly #textOf: (item: Item) => string;

  constructor(streams: readonly Blocks<Item>[], textOf: (item: Item) => string) {
    this.#heads = streams.map((blocks) => ({ blocks, block: [], at: 0, ended: false }));
    this.#textOf = textOf;
  }

  /** To be awaited before `next`; undefined where nothing must be read. */
  load(): Promise<unknown> | undefined {
    let loading: Promise<void>[] | undefined;
    for (const head of this.#heads)
      if (head.at === head.block.length && !head.ended) {
        loading ??= [];
        loading.push(advance(head));
      }
    return loading && Promise.all(loading);
  }

  /** The items of the next text; undefined after the last one. */
  next(): readonly Item[] | undefined {
    let min: string | undefined;
    let standing: Head<Item>[] = [];
    for (const head of this.#heads) {
      if (head.at === head.block.length) continue;
      const text = this.#textOf(head.block[head.at] as Item);
      const order = min === undefined ? -1 : text === min ? 0 : compareUtf8(text, min);
      if (order > 0) continue;
      if (order < 0) standing = [];
      min = text;
      standing.push(head);
    }
    return min === undefined ? undefined : standing.map((head) => head.block[head.at++] as Item);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { blocks } of this.#heads) await blocks.return(undefined);
  }
}

async function advance<Item>(head: Head<Item>): Promise<void> {
  do {
    const next = await head.blocks.next();
    head.ended = next.done === true;
    head.block = next.value ?? [];
    head.at = 0;
  } while (head.block.length === 0 && !head.ended);
}

async function* wordsOf(database: PostingDatabase, segment: Segment): Blocks<WordCount> {
  for await (const [, value] of database.entries(wordsRange(segment.id))) yield decodeWords(value);
}

async function* groupsOfSegment(database: PostingDatabase, segment: Segment): Blocks<WordGroup> {
  for await (const [, value] of database.entries(groupsRange(segment.id)))
    yield Array.from(groupLines(blockText(value)), groupOf);
}
