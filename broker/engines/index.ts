// Engines behind the `SearchEngine` interface. `FlexsearchEngine` is the embedded one: documents get numbers, terms
// get posting lists in segments on an ordered key-value store, small segments are merged in the background, and a
// search is set algebra over those lists followed by a ranking of what matched. `ReferenceEngine` reads every object
// and is what the others are compared with.

export { titleOrder, urlOrder } from './documents/index.ts';
export { engineErrors } from './errors.ts';
export { maintenanceFailed, segmentsMerged } from './events.ts';
export { FlexsearchEngine } from './flexsearch-engine.ts';
export type { FlexsearchOptions } from './flexsearch-options.ts';
export { GlimpseEngine, type GlimpseOptions, type GlimpseSize, glimpseSizes } from './glimpse/index.ts';
export type { PostingDatabase, PostingRange, PostingWrite } from './index-database/index.ts';
export { MendingEngine, type MendingOptions } from './mending-engine.ts';
export { ReferenceEngine } from './reference-engine.ts';
