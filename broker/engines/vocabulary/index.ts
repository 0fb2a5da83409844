// The words of an index: which there are, in blocks and groups, and which of them a query's word can mean. Read
// term-finder.ts, then word-blocks.ts.
export { completions, type IndexedWords } from './completion.ts';
export { formFilter, unbrokenPieces, vocabularyTest } from './form-filter.ts';
export { lookUpWord } from './similar-words.ts';
export { type FoundTerms, TermFinder } from './term-finder.ts';
export { TermNumbers, valueEnd, valueEndNumber } from './term-numbers.ts';
export { TermReader } from './term-reader.ts';
export { isFiled, kindsOf, rangesOver, valueTerm, valueTermsOf } from './value-terms.ts';
export { mergeGroups, mergeWords } from './vocabulary-merge.ts';
export { vocabularyRows } from './vocabulary-rows.ts';
export {
  byUtf8,
  decodeWords,
  encodeWords,
  inUtf8Order,
  sortedByUtf8,
  type WordCount,
} from './word-blocks.ts';
export { WordTable } from './word-table.ts';
