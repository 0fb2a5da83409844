import { maxWordLength, normalisePrefix, passes, type TokenTest } from '../../../query/index.ts';

// A token is cut at its maximum length, perhaps before the sought part. A surrogate pair is not cut.
const cutLength = maxWordLength - 1;

/** Whether a word of a vocabulary may be the beginning of a longer token. */
export const isCut = (word: string) => word.length >= cutLength;

/** Pieces of a text, one of them unchanged in each text with at most that many errors. None if short. */
export function unbrokenPieces({ text, errors }: TokenTest): readonly string[] {
  const characters = [...text];
  if (characters.length <= errors) return [];
  return Array.from({ length: errors + 1 }, (_, index) => {
    const from = Math.floor((index * characters.length) / (errors + 1));
    const to = Math.floor(((index + 1) * characters.length) / (errors + 1));
    return characters.slice(from, to).join('');
  });
}

/** Whether a form passes a test. Cheap checks refuse most forms before characters are compared. */
export function formFilter(test: TokenTest): (form: string) => boolean {
  const { text, errors, place } = test;
  if (errors === 0) return (form) => passes(form, test);
  const needed = unbrokenPieces(test);
  // In UTF-16 units a character counts one or two.
  const minLength = place === 'inside' ? 0 : [...text].length - errors;
  const maxLength = place === 'inside' ? Number.POSITIVE_INFINITY : 2 * ([...text].length + errors);
  return (form) =>
    form.length >= minLength &&
    form.length <= maxLength &&
    (needed.length === 0 || needed.some((piece) => form.includes(piece))) &&
    passes(form, test);
}

const ascii = /^\p{ASCII}*$/u;

/**
 * The test of normalised words for tokens that pass a test as written; undefined where there is none: a
 * character may become two, or one with its neighbour.
 */
function normalised(test: TokenTest): TokenTest | undefined {
  if (test.errors > 0 || (test.place !== 'whole' && !ascii.test(test.text))) return undefined;
  return { ...test, form: 'word', text: normalisePrefix(test.text) };
}

/** The test for words of a vocabulary in place of another; undefined: any of them may match. */
export const vocabularyTest = (test: TokenTest): TokenTest | undefined =>
  test.form === 'written' ? normalised(test) : test;
