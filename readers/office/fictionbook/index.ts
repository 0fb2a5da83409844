// FictionBook 2: a book as one XML document. Read fictionbook.ts.
export { type FictionBookFacts, readFictionBook } from './fictionbook.ts';
