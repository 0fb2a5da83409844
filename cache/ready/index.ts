// Prebuilt hits for the fast lane, kept in step with the store. Read prebuilt-hits.ts, then
// watched-store.ts.
export { PrebuiltHits, type ReadyHitsOptions } from './prebuilt-hits.ts';
