// The most significant parts of a document's text. Terms are weighed by their frequency, place and rarity, and a level
// of summary is made from them: terse has phrases and words, selected adds headings and sentences, full has everything.
// Read condense.ts, then tokenised-document.ts (text as numbers), covering-sentences.ts and level-fields.ts.
export { condense, weigh } from './condense.ts';
export { levelFields } from './level-fields.ts';
export type { ReadDocument } from './tokenised-document.ts';
