// Which objects are wanted. A query is text that people type, a tree that programs pass on, and a predicate over
// one summary object; the tokeniser that decides what a word is lives here and nowhere else, and so does the table
// of attributes that bare words search. Views, filters, the reference engine and every other engine agree with
// `matches`.
export {
  analyse,
  normalisePrefix,
  scanWords,
  type Token,
  termOf,
  termsOf,
  wordOf,
} from './analysis.ts';
export {
  isSearchedByBareWords,
  type SearchedValue,
  searchedValues,
  typeFacet,
  urlAttribute,
} from './attribute-policy.ts';
export { compileQuery, matches } from './evaluator.ts';
export { leafTerms, positiveLeaves, type QueryLeaf } from './leaves.ts';
export { TermMatcher } from './matcher.ts';
export { attributesOf, ObjectTerms } from './object-terms.ts';
export { type ParsedQuery, parseQuery } from './parser.ts';
export { printQuery } from './printer.ts';
export { relax } from './relax.ts';
export { type RequiredTerms, requiredTerms, type TermPlace } from './required-terms.ts';
export { isStopWord } from './stop-words.ts';
export type { QueryNode } from './tree.ts';
