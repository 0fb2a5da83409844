// The sums, sketches and orders of a store's sets, by which they are compared. Read set-rows.ts, then set-summaries.ts.
export { renewFingerprints } from './fingerprint-migration.ts';
export { SetChanges } from './set-changes.ts';
export { findEntries } from './set-lookup.ts';
export { orderedBy } from './set-order.ts';
export { filteredRows, ownRows, partitionRows, type SetRows, shortIdsOf } from './set-rows.ts';
export { ownSet, SetSummaries } from './set-summaries.ts';
