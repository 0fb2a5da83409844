import { termOf } from '../../query/index.ts';
import { ByteWriter } from './byte-codec.ts';
import type { DocColumns } from './doc-columns.ts';
import { allField } from './index-fields.ts';
import {
  movedKey,
  postingsKey,
  postingsRange,
  type segmentRange,
  segmentSuffix,
  wordKey,
  wordsRange,
} from './index-keys.ts';
import type { Segment } from './index-state.ts';
import { Pacing } from './pacing.ts';
import { appendPositions } from './position-codec.ts';
import { decodeSlots, encodeTerm, inlinePositions, type Slots } from './posting-codec.ts';
import type { PostingDatabase, PostingWrite } from './posting-database.ts';
import { decodeWords, encodeWords, type WordCount, wordsPerBlock } from './word-blocks.ts';

/** Segments of one size that are merged into one. */
const mergeFactor = 6;
const maxMerged = 24;
const smallestTierBytes = 64 * 1024;
const mostlyDead = 0.4;
const batchBytes = 256 * 1024;
const batchWrites = 2_000;

const tier = ({ bytes }: Segment) =>
  Math.max(0, Math.floor(Math.log(Math.max(1, bytes / smallestTierBytes)) / Math.log(mergeFactor)));

/**
 * Which neighbouring segments to merge next, or none: where enough of the smallest possible tier stand with nothing
 * larger between them (so that each byte is rewritten about once per tier), otherwise a segment much of which is dead.
 */
export function planMerge(segments: readonly Segment[]): readonly Segment[] {
  const tiers = segments.map(tier);
  for (const limit of [...new Set(tiers)].sort((a, b) => a - b)) {
    let from = 0;
    let peers = 0;
    for (let at = 0; at <= segments.length; at++) {
      if (at < segments.length && (tiers[at] as number) <= limit) {
        if (tiers[at] === limit) peers++;
        continue;
      }
      if (peers >= mergeFactor) return segments.slice(Math.max(from, at - maxMerged), at);
      from = at + 1;
      peers = 0;
    }
  }
  const worn = segments.find(({ docs, dead }) => dead >= docs || (dead >= 64 && dead > docs * mostlyDead));
  return worn === undefined ? [] : [worn];
}

/** Entries of several segments with equal suffixes side by side, in key order. */
async function* sideBySide(
  database: PostingDatabase,
  segments: readonly Segment[],
  range: typeof postingsRange,
): AsyncGenerator<{ suffix: Uint8Array; parts: [Segment, Uint8Array][] }> {
  const heads = segments.map((segment) => ({
    segment,
    entries: database.entries(range(segment.id))[Symbol.asyncIterator](),
    entry: undefined as readonly [Uint8Array, Uint8Array] | undefined,
  }));
  try {
    const advance = async (head: (typeof heads)[number]) => {
      const next = await head.entries.next();
      head.entry = next.done === true ? undefined : next.value;
    };
    for (const head of heads) await advance(head);
    for (;;) {
      let least: Uint8Array | undefined;
      for (const { entry } of heads) {
        if (entry === undefined) continue;
        const suffix = segmentSuffix(entry[0]);
        if (least === undefined || Buffer.compare(suffix, least) < 0) least = suffix;
      }
      if (least === undefined) return;
      const parts: [Segment, Uint8Array][] = [];
      for (const head of heads) {
        if (head.entry === undefined || Buffer.compare(segmentSuffix(head.entry[0]), least) !== 0) continue;
        parts.push([head.segment, head.entry[1]]);
        await advance(head);
      }
      yield { suffix: least, parts };
    }
  } finally {
    // LevelDB keeps a snapshot for every open iterator.
    for (const { entries } of heads) await entries.return?.();
  }
}

/** Writes collected into batches of bounded size. */
class Batches {
  readonly #database: PostingDatabase;
  #writes: PostingWrite[] = [];
  #pending = 0;
  bytes = 0;

  constructor(database: PostingDatabase) {
    this.#database = database;
  }

  async put(key: Uint8Array, value: Uint8Array): Promise<void> {
    this.#writes.push({ type: 'put', key, value });
    this.bytes += value.length;
    this.#pending += value.length + key.length;
    if (this.#pending >= batchBytes || this.#writes.length >= batchWrites) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#writes.length > 0) await this.#database.batch(this.#writes);
    this.#writes = [];
    this.#pending = 0;
  }
}

/**
 * Write neighbouring segments as one new segment, leaving out dead docnos; nothing refers to the new keys until
 * the caller says so in the state. Rejects with the signal's reason when it aborts. Answers the bytes written.
 */
export async function mergeSegments(
  database: PostingDatabase,
  segments: readonly Segment[],
  id: number,
  columns: DocColumns,
  signal: AbortSignal,
): Promise<number> {
  const base = (segments[0] as Segment).from;
  const keep = (docno: number) => columns.isAlive(docno);
  const batches = new Batches(database);
  const pacing = new Pacing(64 * 1024);
  const positionWriter = new ByteWriter();
  for await (const { suffix, parts } of sideBySide(database, segments, postingsRange)) {
    signal.throwIfAborted();
    const slots: Slots = [];
    let last = base;
    const ridingAlong = parts.map(([, value]) => inlinePositions(value));
    const missing = parts.filter((_, index) => ridingAlong[index] === undefined);
    const apart =
      missing.length === 0
        ? []
        : await database.getMany(missing.map(([segment]) => movedKey(suffix, segment.id, 'positions')));
    for (const [index, [segment, value]] of parts.entries()) {
      decodeSlots(value, segment.from, slots, keep);
      const positions = ridingAlong[index] ?? apart.shift() ?? new Uint8Array();
      last = appendPositions(positionWriter, last, positions, segment.from, keep);
      await pacing.pause(value.length + positions.length + 256);
    }
    const positions = positionWriter.take();
    if (!slots.some((list) => list !== undefined && list.length > 0)) continue;
    const encoded = encodeTerm(slots, positions, base);
    await batches.put(movedKey(suffix, id, 'postings'), encoded.postings);
    if (encoded.positions !== undefined)
      await batches.put(movedKey(suffix, id, 'positions'), encoded.positions);
  }
  await batches.flush();
  await mergeWords(database, segments, id, batches, pacing, signal);
  await batches.flush();
  return batches.bytes;
}

async function mergeWords(
  database: PostingDatabase,
  segments: readonly Segment[],
  id: number,
  batches: Batches,
  pacing: Pacing,
  signal: AbortSignal,
): Promise<void> {
  const purge = segments.some(({ dead }) => dead > 0);
  let block: WordCount[] = [];
  const flush = async () => {
    let kept: readonly WordCount[] = block;
    if (purge) {
      // A word goes when its term stands in no living object any more.
      const found = await database.getMany(block.map(([word]) => postingsKey(id, allField, termOf(word))));
      kept = block.filter((_, index) => found[index] !== undefined);
    }
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

/** Delete every key of a segment, a bounded batch at a time. */
export async function deleteRange(
  database: PostingDatabase,
  range: ReturnType<typeof segmentRange>,
  signal: AbortSignal,
): Promise<void> {
  let writes: PostingWrite[] = [];
  for await (const key of database.keys(range)) {
    signal.throwIfAborted();
    // The iterator may reuse its buffers.
    writes.push({ type: 'del', key: Uint8Array.from(key) });
    if (writes.length < batchWrites) continue;
    await database.batch(writes);
    writes = [];
  }
  if (writes.length > 0) await database.batch(writes);
}
