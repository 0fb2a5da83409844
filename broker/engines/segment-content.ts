import type { Lsn } from '../../awareness/index.ts';
import type { Language } from '../../query/index.ts';
import type { SummaryObject } from '../../soif/index.ts';
import type { DocColumns } from './doc-columns.ts';
import type { KeyRange } from './index-keys.ts';
import type { Segment } from './index-state.ts';
import type { PostingWrite } from './posting-database.ts';

/** One moment of an index. A change makes a new one; a search keeps the one it began with. */
export interface SegmentedMoment {
  /** Raised, or otherwise changed, whenever analysis or layout change: an index of another layout is built anew. */
  readonly layout: string;
  readonly lsn: Lsn;
  /** Objects that are alive. */
  readonly count: number;
  readonly nextDocno: number;
  readonly nextSegment: number;
  readonly segments: readonly Segment[];
  /** Segments whose keys are still to be deleted: merged away, or never finished. */
  readonly garbage: readonly number[];
  /** How many living objects are in each language. */
  readonly languages: Readonly<Partial<Record<Language, number>>>;
  /** The language of objects that tell none. */
  readonly fallback: Language;
  /** A clearing that was begun: all other keys go before the index is used again. */
  readonly clearing: boolean;
}

/** A moment with what is in memory of it. */
export interface IndexView {
  readonly moment: SegmentedMoment;
  readonly columns: DocColumns;
}

/** Makes one segment of a batch of objects, given in the order of their docnos. */
export interface SegmentBuilder {
  add(docno: number, object: SummaryObject, language: Language): Promise<void>;
  /** The writes that make it segment `id`, and the bytes of their values. */
  take(id: number): { readonly writes: readonly PostingWrite[]; readonly bytes: number };
}

/** Neighbouring segments that become one. */
export interface SegmentMerge {
  readonly segments: readonly Segment[];
  readonly id: number;
  readonly columns: DocColumns;
  readonly signal: AbortSignal;
}

/** What segments hold. */
export interface SegmentContent {
  readonly layout: string;
  /** Attributes whose values are counted, in lower case; another list is another layout. */
  readonly facetAttributes: readonly string[];
  builder(firstDocno: number): SegmentBuilder;
  /** Write the segments as segment `id`; answers the bytes of its values. Nothing refers to it yet. */
  merge(merge: SegmentMerge): Promise<number>;
  /** Every key of a segment. */
  range(segment: number): KeyRange;
}
