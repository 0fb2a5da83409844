import type { Language } from '../../../query/index.ts';
import type { SummaryObject } from '../../../soif/index.ts';
import type { DocColumns } from '../documents/doc-columns.ts';
import type { KeyRange } from '../index-database/index-keys.ts';
import type { Segment, SegmentedMoment } from '../index-database/index-state.ts';
import type { PostingWrite } from '../index-database/posting-database.ts';
import type { SegmentBuilder, SegmentPart } from './segment-part.ts';
import type { SegmentThreads } from './segment-threads.ts';

/** A moment with its data in memory. */
export interface IndexView {
  readonly moment: SegmentedMoment;
  readonly columns: DocColumns;
}

export interface SegmentMerge {
  readonly segments: readonly Segment[];
  readonly id: number;
  readonly columns: DocColumns;
  /** Those of living objects. */
  readonly languages: readonly Language[];
  readonly signal: AbortSignal;
}

/** Objects with their assigned docnos. */
export type AddedObjects = readonly (readonly [docno: number, object: SummaryObject])[];

export interface SegmentContent {
  readonly layout: string;
  /** Attributes whose values are counted, in lower case. Another list is another layout. */
  readonly facetAttributes: readonly string[];
  /** Whether titles, URLs and OIDs are packed, which saves space and slows changes down. Another layout. */
  readonly isPacked?: boolean;
  builder(part: Pick<SegmentPart, 'from' | 'lengths'>): SegmentBuilder;
  /** The threads in which large batches become segments; absent: this thread. */
  readonly threads?: SegmentThreads;
  /** Write the segments as segment `id`, which nothing refers to yet. Returns the bytes of its values. */
  merge(merge: SegmentMerge): Promise<number>;
  range(segment: number): KeyRange;
  /** The writes beside segments for new objects, and for docnos that died. */
  beside?(added: AddedObjects, dead: readonly number[]): Promise<readonly PostingWrite[]>;
  /** Drop all cached reads of segments, because their numbers are reused. */
  forget(): void;
}
