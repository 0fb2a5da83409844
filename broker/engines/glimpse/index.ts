// Glimpse (harvest.txt 3.3; Manber and Wu 1994): a small index of which words stand in which objects or blocks of them, and
// a scan of the stored objects for what it does not tell. Read glimpse-engine.ts, then candidates.ts (what the index
// says), place-search.ts (what it says of places, at the largest size) and verifier.ts (what reading says).
export { GlimpseEngine, type GlimpseOptions } from './glimpse-engine.ts';
export { type GlimpseSize, glimpseSizes } from './glimpse-size.ts';
