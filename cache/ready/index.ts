export { ReadyHits, type ReadyHitsOptions } from './prebuilt-hits.ts';
