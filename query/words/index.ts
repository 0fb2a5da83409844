// Words: the tokeniser, stemmers, stop words, languages and their detection, the attributes that bare words
// search. Read analysis.ts, then attribute-policy.ts.
export {
  analyse,
  cutText,
  hasToken,
  isLoneCharacter,
  maxWordLength,
  normalisePrefix,
  scanWords,
  stemOf,
  type TokenVisitor,
  termOf,
  termParts,
  termsIn,
  termsOf,
  wordOf,
  wordsOf,
} from './analysis.ts';
export {
  attributeNamePattern,
  isNamed,
  isSearchedByBareWords,
  type SearchedValue,
  searchedValues,
  typeFacet,
  urlAttribute,
} from './attribute-policy.ts';
export { detectedLength, detectLanguage } from './detect-language.ts';
export { distanceWithin, editsBetween } from './edit-distance.ts';
export { FoldedText } from './folded-text.ts';
export { functionWords } from './function-words.ts';
export { defaultLanguage, type Language, languageNamed, languages } from './languages.ts';
export { languageOfObject } from './object-language.ts';
export { rarity } from './rarity.ts';
export { signedWords } from './signed-words.ts';
export { isStopWord, languageOfStopWords, typedTerm, typedWordOf } from './stop-words.ts';
export { type TermPlaces, type TextMatcher, type TextVisitor, WantedTerms } from './term-filter.ts';
export { fileNameOf, fileNames, signedForm, stemmedForm, titleParts, typedForm } from './title-forms.ts';
export { TokenTable } from './token-table.ts';
export { readWords, type WordSink } from './word-bytes.ts';
export { hashed, hashOf, hashStart, spread, textHash } from './word-hash.ts';
export { variantsOf } from './word-variants.ts';
