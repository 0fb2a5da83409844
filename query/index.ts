// Which objects are wanted. A query is text that people type, a tree that programs pass on, and a predicate over
// one summary object; the tokeniser that decides what a word is lives here and nowhere else, and so does the table
// of attributes that bare words search. Views, filters, the reference engine and every other engine agree with
// `matches`.
export {
  analyse,
  maxWordLength,
  normalisePrefix,
  scanWords,
  type Token,
  termOf,
  termParts,
  termsIn,
  termsOf,
  wordOf,
} from './analysis.ts';
export {
  isNamed,
  isSearchedByBareWords,
  type SearchedValue,
  searchedValues,
  typeFacet,
  urlAttribute,
} from './attribute-policy.ts';
export { resolveBest } from './best.ts';
export { editsBetween } from './edit-distance.ts';
export { queryErrors } from './errors.ts';
export { compileQuery, matches } from './evaluator.ts';
export { FoldedText } from './folded-text.ts';
export { functionWords } from './function-words.ts';
export { defaultLanguage, type Language, languages } from './languages.ts';
export { isPlain, leafVariants, leafWords, positiveLeaves, type QueryLeaf } from './leaves.ts';
export { type MatchedLine, matchedLines } from './matched-lines.ts';
export { matchersOf } from './matchers.ts';
export { nearAny, nearLeaves, type TokenSpan } from './near-matcher.ts';
export { languageOfObject } from './object-language.ts';
export { attributesOf, ObjectTerms } from './object-terms.ts';
export { optionBounds, type QueryOptions } from './options.ts';
export { type ParseContext, type ParsedQuery, parseQuery, printedWith } from './parser.ts';
export { printQuery } from './printer.ts';
export { rangeValues, readRange, type ValueSpan } from './range.ts';
export { type RegexLiterals, regexLiterals, type WordTester, wordTester } from './regex-literals.ts';
export { relax } from './relax.ts';
export { type RequiredWords, requiredWords, type WordPlace } from './required-words.ts';
export { StepBudget } from './step-budget.ts';
export { isStopWord } from './stop-words.ts';
export type { TermGroup } from './term-groups.ts';
export type { TextMatcher } from './text-matcher.ts';
export { TokenTable } from './token-table.ts';
export { passes, type TokenTest, tokenTests, writtenForm } from './token-test.ts';
export type {
  LeafNode,
  NearNode,
  NearOperand,
  PhraseNode,
  PrefixNode,
  QueryNode,
  RangeNode,
  TextLeaf,
  WordLeaf,
  WordNode,
} from './tree.ts';
export type { TermPlaces } from './wanted-terms.ts';
export { readWords, type WordSink } from './word-bytes.ts';
export { hashed, hashOf, hashStart, spread, textHash } from './word-hash.ts';
