import type { Language } from '../../../query/index.ts';
import type { SummaryObject } from '../../../soif/index.ts';
import type { DocColumns } from '../documents/doc-columns.ts';
import type { KeyRange } from '../index-database/index-keys.ts';
import type { Segment, SegmentedMoment } from '../index-database/index-state.ts';
import type { PostingWrite } from '../index-database/posting-database.ts';
import type { SegmentBuilder, SegmentPart } from './segment-part.ts';
import type { SegmentThreads } from './segment-threads.ts';

/** A moment with what is in memory of it. */
export interface IndexView {
  readonly moment: SegmentedMoment;
  readonly columns: DocColumns;
}

/** Neighbouring segments that become one. */
export interface SegmentMerge {
  readonly segments: readonly Segment[];
  readonly id: number;
  readonly columns: DocColumns;
  /** Those of living objects. */
  readonly languages: readonly Language[];
  readonly signal: AbortSignal;
}

/** Objects with the docnos that they get. */
export type AddedObjects = readonly (readonly [docno: number, object: SummaryObject])[];

/** What segments hold. */
export interface SegmentContent {
  readonly layout: string;
  /** Attributes whose values are counted, in lower case; another list is another layout. */
  readonly facetAttributes: readonly string[];
  /** Titles, URLs and OIDs take little room, and a change some more time. Another layout. */
  readonly isPacked?: boolean;
  builder(part: Pick<SegmentPart, 'from' | 'lengths'>): SegmentBuilder;
  /** Where large batches become segments; absent: in this thread. */
  readonly threads?: SegmentThreads;
  /** Write the segments as segment `id`; answers the bytes of its values. Nothing refers to it yet. */
  merge(merge: SegmentMerge): Promise<number>;
  /** Every key of a segment. */
  range(segment: number): KeyRange;
  /** What has to be written beside segments for objects that come in, and for docnos that died. */
  beside?(added: AddedObjects, dead: readonly number[]): Promise<readonly PostingWrite[]>;
  /** Keep nothing that was read of segments: their numbers are given out anew. */
  forget(): void;
}
