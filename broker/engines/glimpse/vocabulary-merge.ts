import type { Segment } from '../index-state.ts';
import { Pacing } from '../pacing.ts';
import type { PostingDatabase } from '../posting-database.ts';
import type { SegmentMerge } from '../segment-content.ts';
import { byUtf8 } from '../word-blocks.ts';
import { WriteBatches } from '../write-batches.ts';
import { vocabularyKey, vocabularyRange } from './glimpse-keys.ts';
import { decodeEntries, encodeEntries, entriesPerValue, type VocabularyEntry } from './vocabulary-block.ts';
import { VocabularyKind } from './vocabulary-writer.ts';

async function* entriesOf(
  database: PostingDatabase,
  segment: Segment,
  kind: VocabularyKind,
  base: number,
): AsyncGenerator<VocabularyEntry> {
  for await (const [, value] of database.entries(vocabularyRange(segment.id, kind)))
    yield* decodeEntries(value, base);
}

/** Entries of several streams in the order of their terms, those of one term together, in the order of the streams. */
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
      let least: string | undefined;
      for (const head of heads)
        if (head !== undefined && (least === undefined || byUtf8([head.term, 0], [least, 0]) < 0))
          least = head.term;
      if (least === undefined) return;
      const same: Entry[] = [];
      for (const [index, head] of heads.entries()) {
        if (head?.term !== least) continue;
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

/** Entries of one term as one. */
function joined(entries: readonly VocabularyEntry[]): VocabularyEntry {
  const words = new Map<string, boolean>();
  const blocks: number[] = [];
  for (const entry of entries) {
    for (const { word, plain } of entry.words) words.set(word, plain && words.get(word) !== false);
    for (const block of entry.blocks) if (blocks.at(-1) !== block) blocks.push(block);
  }
  const term = entries[0]?.term ?? '';
  return { term, blocks, words: Array.from(words, ([word, plain]) => ({ word, plain })) };
}

/** Write neighbouring segments as one, without blocks in which nothing is alive. See `SegmentContent.merge`. */
export async function mergeVocabularies(
  database: PostingDatabase,
  { segments, id, columns, signal }: SegmentMerge,
  blockBits: number,
): Promise<number> {
  const base = (segments[0] as Segment).from >>> blockBits;
  const objects = 1 << blockBits;
  const isKept = (block: number) => columns.countAlive(block * objects, (block + 1) * objects - 1) > 0;
  const batches = new WriteBatches(database);
  const pacing = new Pacing(2_000);
  for (const kind of Object.values(VocabularyKind)) {
    let part: VocabularyEntry[] = [];
    const flush = async () => {
      const [first] = part;
      if (first !== undefined)
        await batches.put(vocabularyKey(id, kind, first.term), encodeEntries(part, base));
      part = [];
    };
    const streams = segments.map((segment) => entriesOf(database, segment, kind, segment.from >>> blockBits));
    for await (const same of sameTerms(streams)) {
      const entry = joined(same);
      signal.throwIfAborted();
      const blocks = entry.blocks.filter(isKept);
      await pacing.pause(10 + entry.blocks.length);
      if (blocks.length === 0) continue;
      part.push({ ...entry, blocks });
      if (part.length >= entriesPerValue) await flush();
    }
    await flush();
  }
  await batches.flush();
  return batches.bytes;
}
