// The posting lists of terms: how a term is found in a segment, and what its list is read through. Read
// posting-reader.ts, then term-block.ts (the block that terms lie in).
export { impactSlot, nearestSlot, slotWeight } from './impact.ts';
export { LivingTerms } from './living-terms.ts';
export { type Places, placesOf, runStarts } from './place-positions.ts';
export { PostingCache } from './posting-cache.ts';
export { type CachedPart, cachedBytes, PostingReader } from './posting-reader.ts';
export { blockEntries } from './term-block.ts';
export { TermFrequencies, type TermFrequency } from './term-frequencies.ts';
export { type FoundTerm, positionsOfFound, postingsOfFound } from './term-lookup.ts';
export { TermRows } from './term-rows.ts';
