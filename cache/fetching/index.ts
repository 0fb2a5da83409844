// Fetches from upstream: one fetch for all clients that request the same, stored while it is sent. Read
// fetching.ts, then shared-fetches.ts.
export { type CacheParts, type Fetched, type FetchParts, fetchOnce } from './fetching.ts';
export { Invalidations } from './invalidations.ts';
export { OriginFailures } from './origin-failures.ts';
export { otherVariants, validatedWith } from './other-variants.ts';
export { passedFields, wholeFields, withDirective } from './outgoing-fields.ts';
export { PendingWrites } from './pending-writes.ts';
export { RecentInvalidations } from './recent-invalidations.ts';
export type { BrokenContent, SharedContent } from './shared-content.ts';
export { SharedFetches } from './shared-fetches.ts';
