import { linkWrites } from '../documents/link-counts.ts';
import { segmentRange } from '../index-database/index-keys.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import type { SegmentContent } from '../segments/segment-content.ts';
import { mergeSegments } from '../segments/segment-merge.ts';
import { SegmentThreads } from '../segments/segment-threads.ts';
import { SegmentWriter } from '../segments/segment-writer.ts';

// Raised with every change of analysis, fields or layout.
const version = 18;

/** The kind of an index. An index of another kind is rebuilt. */
export interface FlexsearchLayout {
  /** Whether the positions of terms are stored, for phrases and nearness. */
  readonly positions: boolean;
  /** Whether linking hosts are counted. */
  readonly links: boolean;
  /** Attributes whose values are counted, in lower case. */
  readonly facetAttributes: readonly string[];
}

/** Segments of posting lists; `forget` is called when cached reads of them are no longer valid. */
export function flexsearchContent(
  database: PostingDatabase,
  { positions, links, facetAttributes }: FlexsearchLayout,
  forget: () => void,
): SegmentContent {
  const options = [...(positions ? ['positions'] : []), ...(links ? ['links'] : [])];
  return {
    layout: ['flexsearch', version, options.join('+'), ...facetAttributes].join(' '),
    facetAttributes,
    builder: ({ from, lengths }) => new SegmentWriter(from, lengths, positions),
    threads: new SegmentThreads(positions),
    merge: (merge) => mergeSegments({ ...merge, database, positions }),
    range: segmentRange,
    ...(links && { beside: (added, dead) => linkWrites(database, added, dead) }),
    forget,
  };
}
