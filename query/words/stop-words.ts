import { listedWords, wordsOf } from './analysis.ts';
import { functionWords } from './function-words.ts';
import { defaultLanguage, type Language } from './languages.ts';

// English words that do not show the subject of a text. Longer and shorter lists rank worse on judged
// collections.
const englishStopWords: ReadonlySet<string> = new Set(
  [
    'a about above after again against all am an and any are as at be because been before being below between both',
    'but by can could did do does doing don down during each few for from further had has have having he her here',
    'hers herself him himself his how i if in into is it its itself just me more most my myself no nor not now of',
    'off on once only or other our ours ourselves out over own same she should so some such than that the their',
    'theirs them themselves then there these they this those through to too under until up very was we were what',
    'when where which while who whom why will with would you your yours yourself yourselves',
  ].flatMap((line) => line.split(' ')),
);

const byLanguage = new Map<Language, ReadonlySet<string>>([['en', englishStopWords]]);

function stopWordsOf(language: Language): ReadonlySet<string> {
  let words = byLanguage.get(language);
  if (words === undefined) {
    const table: Readonly<Partial<Record<Language, string>>> = functionWords;
    words = new Set(listedWords(table[language] ?? ''));
    byLanguage.set(language, words);
  }
  return words;
}

/** Whether a word of a query, in any case, is a stop word of a language; accents matter in English only. */
export function isStopWord(word: string, language: Language = defaultLanguage): boolean {
  const known = stopWordsOf(language);
  if (language === 'en') return known.has(word.toLowerCase());
  const [normal, more] = wordsOf(word);
  return more === undefined && normal !== undefined && known.has(normal);
}

/** The language, among some, in which most words of a query are stop words; the first of several. */
export function languageOfStopWords(words: readonly string[], among: Iterable<Language>): Language {
  let found: Language | undefined;
  let max = 0;
  for (const language of among) {
    const count = words.filter((word) => isStopWord(word, language)).length;
    if (found === undefined || count > max) [found, max] = [language, count];
  }
  return found ?? defaultLanguage;
}

// Occurs in no word, and begins no other term.
const typedMark = '=';
const inflected = /^\p{L}{3,}$/u;

/**
 * The term under which an index has a normalised word beside its stem, in every language; undefined for words that have
 * no other forms, or whose forms say nothing: numbers, short words, stop words of English. Their typed form is their term.
 */
export const typedTerm = (word: string): string | undefined =>
  inflected.test(word) && !isStopWord(word) ? typedMark + word : undefined;

/** Of the term of a typed form: the word; undefined for other terms. */
export const typedWordOf = (term: string): string | undefined =>
  term.startsWith(typedMark) ? term.slice(typedMark.length) : undefined;
