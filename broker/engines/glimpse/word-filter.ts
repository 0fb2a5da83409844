import { type Language, maxWordLength, type TokenTest, termParts } from '../../../query/index.ts';
import { formFilter } from '../form-filter.ts';
import type { TermFilter } from './vocabulary-reader.ts';

// A token was cut at its bound, perhaps before what is looked for; a surrogate pair is not cut.
const cutLength = maxWordLength - 1;

/** Whether a word of a vocabulary may be the beginning of a longer token. */
export const isCut = (word: string) => word.length >= cutLength;

/** Whether a token that has this word may pass what was asked, `test` being what stands for that here. */
export function wordFilter(asked: TokenTest, test: TokenTest): (word: string) => boolean {
  const holds = formFilter(test);
  return asked.form === 'written' && asked.place !== 'whole' ? (word) => isCut(word) || holds(word) : holds;
}

/** Which terms of a vocabulary a token in these languages that is asked for so may have. */
export function termFilter(asked: TokenTest, test: TokenTest, languages: readonly Language[]): TermFilter {
  const holds = wordFilter(asked, test);
  const carried: ReadonlySet<string> = new Set(['', ...languages]);
  if (test.form === 'term')
    return (term) => {
      const [language, stem] = termParts(term);
      return carried.has(language) && holds(stem);
    };
  return (_term, words) => words.some(holds);
}
