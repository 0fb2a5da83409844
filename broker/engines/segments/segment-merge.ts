import { Pacing } from '../../../kernel/index.ts';
import { allPositions, PositionEncoder } from '../codecs/position-codec.ts';
import {
  decodePostings,
  encodePostings,
  filteredPostings,
  joinPostings,
  type Postings,
  rebasedPostings,
} from '../codecs/posting-codec.ts';
import { hasPlaces } from '../index-database/index-fields.ts';
import type { Segment } from '../index-database/index-state.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import { WriteBatches } from '../index-database/write-batches.ts';
import { LivingTerms } from '../postings/living-terms.ts';
import { TermRows } from '../postings/term-rows.ts';
import { mergeGroups, mergeWords } from '../vocabulary/vocabulary-merge.ts';
import type { SegmentMerge } from './segment-content.ts';
import { SegmentCursor, type StoredTerm } from './segment-cursor.ts';

/** Work between two yields, in bytes decoded: a quarter of a millisecond, because changes run in between. */
const share = 8 * 1024;

/** The segments to merge, and the result's place. */
export interface Merge extends SegmentMerge {
  readonly database: PostingDatabase;
  /** Whether the index stores positions. */
  readonly positions: boolean;
}

type Part = readonly [segment: Segment, term: StoredTerm];

/**
 * Write neighbouring segments as one new segment, without dead docnos. Nothing refers to the new keys until
 * the caller writes the state. Rejects with the signal's reason when it aborts. Returns the bytes written.
 */
export async function mergeSegments(merge: Merge): Promise<number> {
  const { database, segments, id, languages, signal } = merge;
  const batches = new WriteBatches(database);
  const rows = new TermRows(id);
  const pacing = new Pacing(share);
  const merger = new TermMerger(merge, pacing);
  await using terms = new TermsSideBySide(merge);
  for (;;) {
    const loading = terms.load();
    if (loading !== undefined) await loading;
    const parts = terms.next();
    if (parts === undefined) break;
    signal.throwIfAborted();
    const merged = merger.alone(parts) ?? (await merger.merge(parts));
    const pause = pacing.pause(256);
    if (pause !== undefined) await pause;
    if (merged !== undefined) rows.add(merged.key, merged.postings, merged.positions);
    for (const row of rows.take()) await batches.write(row);
  }
  for (const row of rows.end()) await batches.write(row);
  await batches.flush();
  const purges = segments.some(({ dead }) => dead > 0);
  const living = purges ? await LivingTerms.load(database, id, languages) : undefined;
  const vocabulary = { database, segments, id, batches, pacing, signal, living };
  await mergeWords(vocabulary);
  await mergeGroups(vocabulary);
  await batches.flush();
  return batches.bytes;
}

interface Head {
  readonly segment: Segment;
  readonly cursor: SegmentCursor;
}

/** The parts of each term, terms in the order of their keys. */
class TermsSideBySide implements AsyncDisposable {
  readonly #heads: readonly Head[];

  constructor({ database, segments, positions }: Merge) {
    this.#heads = segments.map((segment) => ({
      segment,
      cursor: new SegmentCursor(database, segment.id, positions),
    }));
  }

  /** To be awaited before `next`; undefined where nothing must be read. */
  load(): Promise<unknown> | undefined {
    // Most often there is nothing to read, and this runs for each term.
    if (!this.#heads.some(({ cursor }) => cursor.isDue)) return undefined;
    return Promise.all(this.#heads.map(({ cursor }) => cursor.load()));
  }

  /** The segments' parts of the next term; undefined after the last one. */
  next(): readonly Part[] | undefined {
    let min: Uint8Array | undefined;
    let standing: Head[] = [];
    for (const head of this.#heads) {
      const { term } = head.cursor;
      if (term === undefined) continue;
      const order = min === undefined ? -1 : Buffer.compare(term.key, min);
      if (order > 0) continue;
      if (order < 0) standing = [];
      min = term.key;
      standing.push(head);
    }
    if (min === undefined) return undefined;
    const parts = standing.map(({ segment, cursor }): Part => [segment, cursor.term as StoredTerm]);
    for (const { cursor } of standing) cursor.advance();
    return parts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { cursor } of this.#heads) await cursor[Symbol.asyncDispose]();
  }
}

class TermMerger {
  readonly #merge: Merge;
  readonly #base: number;
  readonly #pacing: Pacing;
  readonly #encoder = new PositionEncoder();

  constructor(merge: Merge, pacing: Pacing) {
    this.#merge = merge;
    this.#base = (merge.segments[0] as Segment).from;
    this.#pacing = pacing;
  }

  /** A term of one segment without dead objects, which need not be decoded. */
  alone(parts: readonly Part[]): StoredTerm | undefined {
    const [segment, only] = parts[0] as Part;
    if (parts.length > 1 || segment.dead > 0) return undefined;
    return { ...only, postings: rebasedPostings(only.postings, segment.from - this.#base) };
  }

  /** Join one term of several segments; undefined when none of its objects is alive. */
  async merge(parts: readonly Part[]): Promise<StoredTerm | undefined> {
    const [, only] = parts[0] as Part;
    const living: Postings[] = [];
    for (const part of parts) {
      const own = await this.#living(part);
      if (own.docnos.length > 0) living.push(own);
    }
    if (living.length === 0) return undefined;
    return {
      key: only.key,
      postings: encodePostings(joinPostings(living), this.#base),
      positions: this.#merge.positions && hasPlaces(only.key) ? this.#encoder.take() : undefined,
    };
  }

  /** The living objects of one part. Their positions go to the encoder. */
  async #living([segment, { postings, positions }]: Part): Promise<Postings> {
    const all = decodePostings(postings, segment.from);
    const isAlive = (docno: number) => this.#merge.columns.isAlive(docno);
    const pause = this.#pacing.pause(postings.length * 4 + 256);
    if (pause !== undefined) await pause;
    if (positions === undefined) return segment.dead === 0 ? all : filteredPostings(all, isAlive);
    let occurrences = 0;
    let index = 0;
    for (const places of allPositions({ postings: all, value: positions })) {
      if (isAlive(all.docnos[index++] as number)) {
        this.#encoder.add(places);
        occurrences += places.length;
      }
      const rest = this.#pacing.pause(places.length * 4 + 16);
      if (rest !== undefined) await rest;
    }
    return { ...filteredPostings(all, isAlive), occurrences };
  }
}
