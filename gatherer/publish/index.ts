// The stores of a Gatherer: summaries (production.ts) and a row for each URL (fetch-store.ts), from run to run, and the
// SOIF stream (classic-stream.ts). Read run-recorder.ts, then production.ts and trusted-rows.ts.
export { ClassicStream, unpacked } from './classic-stream.ts';
export type { FetchRow } from './fetch-row.ts';
export { FetchStore } from './fetch-store.ts';
export { Production } from './production.ts';
export type { Stamp } from './restamp.ts';
export { RunRecorder } from './run-recorder.ts';
export { type ProviderCounts, type RunCounts, sumOf, Tally } from './run-statistics.ts';
export { SeenSet } from './seen-set.ts';
