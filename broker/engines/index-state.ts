import type { Lsn } from '../../awareness/index.ts';
import { fieldNames } from './index-fields.ts';
import { stateKey } from './index-keys.ts';
import type { PostingDatabase, PostingWrite } from './posting-database.ts';

// Raised whenever analysis, fields or layout change: an older index is thrown away and built anew from the store.
const version = 4;

/** Postings written together; segments are in docno order and do not overlap. */
export interface Segment {
  readonly id: number;
  /** First and last docno of its objects. */
  readonly from: number;
  readonly to: number;
  /** Objects written, and how many of them died since. */
  readonly docs: number;
  readonly dead: number;
  /** Bytes of its values, as written. */
  readonly bytes: number;
}

/** How many objects and tokens a field has seen, for the average length. */
export interface FieldLength {
  readonly objects: number;
  readonly tokens: number;
}

/** Everything that has to be known to open the index: one small record, written with every change. */
export interface IndexState {
  readonly lsn: Lsn;
  /** Objects that are alive. */
  readonly count: number;
  readonly nextDocno: number;
  readonly nextSegment: number;
  readonly segments: readonly Segment[];
  /** Segments whose keys are still to be deleted: merged away, or never finished. */
  readonly garbage: readonly number[];
  readonly lengths: readonly FieldLength[];
  /** Attributes whose values are counted, in lower case. */
  readonly facets: readonly string[];
  /** Whether it is kept where terms stand, for phrases and nearness. */
  readonly positions: boolean;
  /** A clearing that was begun: all other keys go before the index is used again. */
  readonly clearing: boolean;
}

/** Of an index that has just been made. */
export const emptyState = (positions: boolean): IndexState => ({
  lsn: 0,
  count: 0,
  nextDocno: 1,
  nextSegment: 1,
  segments: [],
  garbage: [],
  lengths: fieldNames.map(() => ({ objects: 0, tokens: 0 })),
  facets: [],
  positions,
  clearing: false,
});

/** The stored state; an index of another version, kind or facets, or none that can be read, is one to be cleared. */
export async function loadState(
  database: PostingDatabase,
  positions: boolean,
  facets: readonly string[] = [],
): Promise<IndexState> {
  const value = await database.get(stateKey);
  if (value === undefined) return emptyState(positions);
  try {
    const stored = JSON.parse(Buffer.from(value).toString()) as IndexState & { version: number };
    const isSame = stored.positions === positions && stored.facets?.join() === facets.join();
    if (stored.version === version && isSame) return stored;
  } catch {
    // Falls through to a fresh index: it is rebuildable, so an unreadable one costs time only.
  }
  return { ...emptyState(positions), clearing: true };
}

export function stateWrite(state: IndexState): PostingWrite {
  return { type: 'put', key: stateKey, value: Buffer.from(JSON.stringify({ version, ...state })) };
}

/** Segments with these docnos counted as dead. */
export function withDead(segments: readonly Segment[], docnos: Iterable<number>): Segment[] {
  const changed = segments.map((segment) => ({ ...segment }));
  for (const docno of docnos) {
    const segment = changed.find(({ from, to }) => from <= docno && docno <= to);
    if (segment !== undefined) segment.dead++;
  }
  return changed;
}
