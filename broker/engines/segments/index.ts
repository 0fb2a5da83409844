// Segments of an index: written in threads, merged, and kept up beside queries. Read segmented-index.ts, then
// segment-writer.ts and segment-merge.ts.
export { planMerge } from './merge-plan.ts';
export type { IndexView, SegmentContent, SegmentMerge } from './segment-content.ts';
export { mergeSegments } from './segment-merge.ts';
export { SegmentThreads } from './segment-threads.ts';
export { SegmentWriter } from './segment-writer.ts';
export { oidsOf, SegmentedIndex, type SegmentedMomentRows } from './segmented-index.ts';
export { TokenLists } from './token-lists.ts';
