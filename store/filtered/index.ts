// Sets of a store's objects with logs of their own: those of a filter, and the standing sets of views. Read
// filtered-source.ts, then standing-sets.ts.
export { FilterTable } from './filter-table.ts';
export type { FilteredSnapshot, MembershipEvent } from './filtered-snapshot.ts';
export type { FollowedStore } from './filtered-source.ts';
export { type SetsOf, StandingSets, type StandingSource } from './standing-sets.ts';
