export { FilterTable } from './filter-table.ts';
export type { FilteredSnapshot, MembershipEvent } from './filtered-snapshot.ts';
export type { FollowedStore } from './filtered-source.ts';
export { type SetsOf, StandingSets, type StandingSource } from './standing-sets.ts';
