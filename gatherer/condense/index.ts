// The words of a document worth keeping. A summariser reads a document into blocks; here they are weighed (how often
// and where a word stands, how rare it is at large) and a level of summary is made of them: terse keeps phrases and
// words, selected adds headings and sentences, full keeps everything. Begin with condense.ts; reading.ts turns text
// into numbers, term-scores.ts weighs, covering-sentences.ts, phrases.ts and words.ts choose. background-table.ts is
// made by bench/levels-background.ts.
export { condense } from './condense.ts';
export { levelFields } from './level-fields.ts';
export type { ReadDocument } from './read-document.ts';
