import { isStopWord } from './stop-words.ts';

// Occurs in no word, and begins no other term.
const typedMark = '=';
const inflected = /^\p{L}{3,}$/u;

/**
 * The term under which an index has a normalised word beside its stem, in every language; undefined for words that have
 * no other forms, or whose forms say nothing: numbers, short words, stop words of English. Their typed form is their term.
 */
export const typedTerm = (word: string): string | undefined =>
  inflected.test(word) && !isStopWord(word) ? typedMark + word : undefined;
