// The operator's own modules that summarise documents: tried once at start, then loaded in the worker threads, where
// time and memory are limited. The types for authors are in summariser.d.ts. Read module-summarisers.ts, then
// prepare-module.ts and module-fields.ts.

export { printToStandardError } from './load-module.ts';
export { moduleDigest } from './module-digest.ts';
export { ModuleSummarisers, type SummariserModule } from './module-summarisers.ts';
export { type ModuleBounds, prepareModule } from './prepare-module.ts';
