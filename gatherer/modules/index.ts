// Modules of the operator's own that summarise documents: tried once at start, then loaded in the threads that work on
// documents, where time and memory are bounded. What authors write against is summariser.d.ts.
export { moduleDigest } from './module-digest.ts';
export { ModuleSummarisers, type SummariserModule } from './module-summarisers.ts';
export { type ModuleBounds, prepareModule } from './prepare-module.ts';
export { printToStandardError } from './standard-error.ts';
