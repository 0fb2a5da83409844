import { type Language, maxWordLength, type TokenTest, termParts } from '../../../query/index.ts';
import { formFilter, unbrokenPieces } from '../vocabulary/form-filter.ts';

// A token was cut at its bound, perhaps before what is looked for; a surrogate pair is not cut.
const cutLength = maxWordLength - 1;

/** Whether a word of a vocabulary may be the beginning of a longer token. */
export const isCut = (word: string) => word.length >= cutLength;

/** What is looked for among the terms of a vocabulary or among its words. */
export interface TextFilter {
  readonly among: 'terms' | 'words';
  /** Every text that holds has one of these; none: any text may hold. */
  readonly pieces: readonly string[];
  /** Whether words that are cut hold whatever they are. */
  readonly cutToo: boolean;
  readonly holds: (text: string) => boolean;
}

const isLoose = (asked: TokenTest) => asked.form === 'written' && asked.place !== 'whole';

/** Whether a token that has this word may pass what was asked, `test` being what stands for that here. */
export function wordFilter(asked: TokenTest, test: TokenTest): (word: string) => boolean {
  const holds = formFilter(test);
  return isLoose(asked) ? (word) => isCut(word) || holds(word) : holds;
}

function piecesOf(test: TokenTest): readonly string[] {
  if (test.errors > 0) return unbrokenPieces(test);
  return test.text === '' ? [] : [test.text];
}

/** Which terms or words of a vocabulary a token in these languages that is asked for so may have. */
export function textFilter(asked: TokenTest, test: TokenTest, languages: readonly Language[]): TextFilter {
  const pieces = piecesOf(test);
  if (test.form !== 'term')
    return { among: 'words', pieces, cutToo: isLoose(asked), holds: wordFilter(asked, test) };
  const holds = formFilter(test);
  const carried: ReadonlySet<string> = new Set(['', ...languages]);
  return {
    ...{ among: 'terms', pieces, cutToo: false },
    holds: (term) => {
      const [language, stem] = termParts(term);
      return carried.has(language) && holds(stem);
    },
  };
}

/** Words that hold one of these, and words that may go on with one. */
export const fragmentFilter = (fragments: readonly string[]): TextFilter => ({
  ...{ among: 'words', pieces: fragments.includes('') ? [] : fragments, cutToo: true },
  holds: (word) => isCut(word) || fragments.some((fragment) => word.includes(fragment)),
});
