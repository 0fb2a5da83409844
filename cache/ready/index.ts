export { PrebuiltHits, type ReadyHitsOptions } from './prebuilt-hits.ts';
