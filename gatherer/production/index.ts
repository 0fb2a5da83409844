// What a Gatherer knows of each URL and what it made of it, from run to run. Read production.ts, then keeping.ts.
export type { FetchRow } from './fetch-row.ts';
export { FetchStore } from './fetch-store.ts';
export { Keeping } from './keeping.ts';
export { Production } from './production.ts';
export { Seen } from './seen.ts';
export { type ProviderCounts, Tally } from './tally.ts';
