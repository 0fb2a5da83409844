import { Pacing } from '../../../kernel/index.ts';
import type { DocColumns } from '../documents/doc-columns.ts';
import type { Segment } from '../index-database/index-state.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import { WriteBatches } from '../index-database/write-batches.ts';
import type { SegmentMerge } from '../segments/segment-content.ts';
import { byUtf8 } from '../vocabulary/word-blocks.ts';
import { languageKind, vocabularyKey, vocabularyRange } from './glimpse-keys.ts';
import { inBlocks, listFor, type ObjectList } from './object-lists.ts';
import { encodeEntries, entriesPerValue, VocabularyBlock, type VocabularyEntry } from './vocabulary-block.ts';
import { spanOf } from './vocabulary-reader.ts';
import { VocabularyKind } from './vocabulary-writer.ts';

async function* entriesOf(
  database: PostingDatabase,
  segment: Segment,
  kind: number,
  blockBits: number,
): AsyncGenerator<VocabularyEntry> {
  for await (const [, value] of database.entries(vocabularyRange(segment.id, kind)))
    yield* new VocabularyBlock(value, spanOf(segment, blockBits)).entries();
}

/** Entries of several streams by term, those of one term together, in the order of the streams. */
export async function* sameTerms<Entry extends { readonly term: string }>(
  streams: readonly AsyncGenerator<Entry>[],
): AsyncGenerator<readonly Entry[]> {
  try {
    const heads: (Entry | undefined)[] = [];
    const advance = async (index: number) => {
      const next = await streams[index]?.next();
      heads[index] = next === undefined || next.done === true ? undefined : next.value;
    };
    for (const index of streams.keys()) await advance(index);
    for (;;) {
      let min: string | undefined;
      for (const head of heads)
        if (head !== undefined && (min === undefined || byUtf8([head.term, 0], [min, 0]) < 0))
          min = head.term;
      if (min === undefined) return;
      const same: Entry[] = [];
      for (const [index, head] of heads.entries()) {
        if (head?.term !== min) continue;
        same.push(head);
        await advance(index);
      }
      yield same;
    }
  } finally {
    // LevelDB keeps a snapshot for every open iterator.
    for (const stream of streams) await stream.return(undefined);
  }
}

/** Join lists of neighbouring segments, in the coarsest blocks among them. */
function joinedLists(lists: readonly ObjectList[]): ObjectList {
  const blockBits = Math.max(...lists.map((list) => list.blockBits));
  const blocks: number[] = [];
  for (const list of lists)
    for (const block of inBlocks(list, blockBits).blocks) if (blocks.at(-1) !== block) blocks.push(block);
  return { blockBits, blocks };
}

function joinedWords(entries: readonly VocabularyEntry[]): VocabularyEntry['words'] {
  const words = new Map<string, boolean>();
  for (const entry of entries)
    for (const { word, plain } of entry.words) words.set(word, plain && words.get(word) !== false);
  return Array.from(words, ([word, plain]) => ({ word, plain }));
}

const livingIn =
  (columns: DocColumns) =>
  ({ blockBits, blocks }: ObjectList): ObjectList => ({
    blockBits,
    blocks: blocks.filter(
      (block) => columns.countAlive(block << blockBits, ((block + 1) << blockBits) - 1) > 0,
    ),
  });

async function mergeVocabulary(
  database: PostingDatabase,
  { segments, id, columns, signal }: SegmentMerge,
  kind: number,
  blockBits: number,
): Promise<number> {
  const [first, last] = [segments[0] as Segment, segments.at(-1) as Segment];
  const span = { from: first.from, to: last.to, blockBits };
  const living = livingIn(columns);
  const batches = new WriteBatches(database);
  const pacing = new Pacing(2_000);
  let part: VocabularyEntry[] = [];
  const flush = async () => {
    const [entry] = part;
    if (entry !== undefined)
      await batches.put(vocabularyKey(id, kind, entry.term), encodeEntries(part, span));
    part = [];
  };
  const streams = segments.map((segment) => entriesOf(database, segment, kind, blockBits));
  for await (const same of sameTerms(streams)) {
    signal.throwIfAborted();
    await pacing.pause(10 + same.reduce((sum, { list }) => sum + list.blocks.length, 0));
    const list = joinedLists(same.map((entry) => living(entry.list)));
    if (list.blocks.length === 0) continue;
    const term = (same[0] as VocabularyEntry).term;
    part.push({ term, words: joinedWords(same), list: listFor(span, list) });
    if (part.length >= entriesPerValue) await flush();
  }
  await flush();
  await batches.flush();
  return batches.bytes;
}

/** Write neighbouring segments as one, without blocks of dead objects. See `SegmentContent.merge`. */
export async function mergeVocabularies(
  database: PostingDatabase,
  merge: SegmentMerge,
  blockBits: number,
): Promise<number> {
  let bytes = await mergeVocabulary(database, merge, languageKind, 0);
  for (const kind of Object.values(VocabularyKind))
    bytes += await mergeVocabulary(database, merge, kind, blockBits);
  return bytes;
}
