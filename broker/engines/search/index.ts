// The documents that a Boolean query matches, by words, phrases, nearness and ranges. Read boolean-search.ts, then
// word-search.ts.
export { BooleanSearch } from './boolean-search.ts';
export { mostWideTrials } from './object-verifier.ts';
