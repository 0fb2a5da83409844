import {
  type Language,
  maxWordLength,
  normalisePrefix,
  passes,
  type TokenTest,
  termParts,
} from '../../../query/index.ts';
import type { TermFilter } from './vocabulary-reader.ts';

/**
 * Pieces of a text of which at least one stands, as it is, in whatever has at most so many errors: the errors cannot
 * touch all of `errors + 1` pieces. None when the text is too short for that.
 */
function pieces(text: string, errors: number): readonly string[] {
  const characters = [...text];
  if (characters.length <= errors) return [];
  return Array.from({ length: errors + 1 }, (_, index) => {
    const from = Math.floor((index * characters.length) / (errors + 1));
    const to = Math.floor(((index + 1) * characters.length) / (errors + 1));
    return characters.slice(from, to).join('');
  });
}

/** Whether a form passes a test; most are refused by cheap looks before characters are compared. */
function formFilter(test: TokenTest): (form: string) => boolean {
  const { text, errors, place } = test;
  if (errors === 0) return (form) => passes(form, test);
  const needed = pieces(text, errors);
  // In UTF-16 units a character counts one or two.
  const shortest = place === 'inside' ? 0 : [...text].length - errors;
  const longest = place === 'inside' ? Number.POSITIVE_INFINITY : 2 * ([...text].length + errors);
  return (form) =>
    form.length >= shortest &&
    form.length <= longest &&
    (needed.length === 0 || needed.some((piece) => form.includes(piece))) &&
    passes(form, test);
}

const ascii = /^\p{ASCII}*$/u;

/**
 * What normalised words must be like where tokens as they are written pass a test; undefined where that cannot be told:
 * a character may become two, or one with its neighbour.
 */
function normalised(test: TokenTest): TokenTest | undefined {
  if (test.errors > 0 || (test.place !== 'whole' && !ascii.test(test.text))) return undefined;
  return { ...test, form: 'word', text: normalisePrefix(test.text) };
}

/** The test that words of a vocabulary are put to in place of another; undefined: any of them may stand for a match. */
export const vocabularyTest = (test: TokenTest): TokenTest | undefined =>
  test.form === 'written' ? normalised(test) : test;

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
