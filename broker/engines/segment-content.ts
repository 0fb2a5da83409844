import type { Language } from '../../query/index.ts';
import type { SummaryObject } from '../../soif/index.ts';
import type { DocColumns } from './doc-columns.ts';
import type { KeyRange } from './index-keys.ts';
import type { FieldLength, Segment, SegmentedMoment } from './index-state.ts';
import type { PostingWrite } from './posting-database.ts';

/** A moment with what is in memory of it. */
export interface IndexView {
  readonly moment: SegmentedMoment;
  readonly columns: DocColumns;
}

/** Makes one segment of a batch of objects, given in the order of their docnos. */
export interface SegmentBuilder {
  add(docno: number, object: SummaryObject, language: Language): Promise<void>;
  /** The writes that make it segment `id`. */
  take(id: number): MadeSegment | Promise<MadeSegment>;
}

export interface MadeSegment {
  readonly writes: readonly PostingWrite[];
  /** Of the values of the writes. */
  readonly bytes: number;
  /** Of the moment's fields with this segment's objects counted; absent: as they were. */
  readonly lengths?: readonly FieldLength[];
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
  builder(moment: Pick<SegmentedMoment, 'nextDocno' | 'lengths'>): SegmentBuilder;
  /** Write the segments as segment `id`; answers the bytes of its values. Nothing refers to it yet. */
  merge(merge: SegmentMerge): Promise<number>;
  /** Every key of a segment. */
  range(segment: number): KeyRange;
  /** What has to be written beside segments for objects that come in, and for docnos that died. */
  beside?(added: AddedObjects, dead: readonly number[]): Promise<readonly PostingWrite[]>;
  /** Keep nothing that was read of segments: their numbers are given out anew. */
  forget(): void;
}
