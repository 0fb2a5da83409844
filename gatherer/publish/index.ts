// What a Gatherer knows of each URL and what it made of it, from run to run. Read production.ts, then keeping.ts.
export { ClassicStream, unpacked } from './classic-stream.ts';
export type { FetchRow } from './fetch-row.ts';
export { FetchStore } from './fetch-store.ts';
export { Production } from './production.ts';
export { type RunCounts, sumOf } from './run-counts.ts';
export { RunRecorder } from './run-recorder.ts';
export { type ProviderCounts, Tally } from './run-statistics.ts';
export { SeenSet } from './seen-set.ts';
