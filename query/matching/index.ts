// Evaluates a query on one object: predicates, matched lines, required words, ranges. Read evaluator.ts, then
// leaves.ts and token-matcher.ts.
export { compileQuery, matches } from './evaluator.ts';
export { isPlain, isWhole, leafVariants, leafWords, positiveLeaves, type QueryLeaf } from './leaves.ts';
export { type MatchedLine, matchedLines } from './matched-lines.ts';
export { matchersOf } from './matchers.ts';
export { nearAny, type TokenSpan } from './near-matcher.ts';
export { attributesOf, ObjectTerms } from './object-terms.ts';
export { rangeValues, readRange, type ValueSpan } from './range.ts';
export { type RegexLiterals, regexLiterals, wordTester } from './regex-literals.ts';
export { requiredWords, type WordPlace } from './required-words.ts';
export { withSpellings } from './spellings.ts';
export { isOnlyWords, type TypedText, typedText } from './typed-text.ts';
