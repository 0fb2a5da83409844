import { linkWrites } from '../documents/link-counts.ts';
import { segmentRange } from '../index-database/index-keys.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import type { SegmentContent } from '../segments/segment-content.ts';
import { mergeSegments } from '../segments/segment-merge.ts';
import { SegmentThreads } from '../segments/segment-threads.ts';
import { SegmentWriter } from '../segments/segment-writer.ts';

// Raised whenever analysis, fields or layout change.
const version = 10;

/** Of what kind an index is: one of another kind is built anew. */
export interface FlexsearchLayout {
  /** Whether it is kept where terms stand, for phrases and nearness. */
  readonly positions: boolean;
  /** Whether it is counted from which hosts pages are linked to. */
  readonly links: boolean;
  /** Attributes whose values are counted, in lower case. */
  readonly facetAttributes: readonly string[];
}

/** Segments of posting lists; `forget` is told when nothing that was read of them holds any more. */
export function flexsearchContent(
  database: PostingDatabase,
  { positions, links, facetAttributes }: FlexsearchLayout,
  forget: () => void,
): SegmentContent {
  const kept = [...(positions ? ['positions'] : []), ...(links ? ['links'] : [])];
  return {
    layout: ['flexsearch', version, kept.join('+'), ...facetAttributes].join(' '),
    facetAttributes,
    builder: ({ from, lengths }) => new SegmentWriter(from, lengths, positions),
    threads: new SegmentThreads(positions),
    merge: (merge) => mergeSegments({ ...merge, database, positions }),
    range: segmentRange,
    ...(links && { beside: (added, dead) => linkWrites(database, added, dead) }),
    forget,
  };
}
