import { type Language, type TokenTest, termParts } from '../../../query/index.ts';
import { formFilter, isCut, unbrokenPieces } from '../vocabulary/form-filter.ts';

export interface TextFilter {
  readonly among: 'terms' | 'words';
  /** Every accepted text contains one of these; when empty, any text may be accepted. */
  readonly pieces: readonly string[];
  /** Whether cut words are always accepted. */
  readonly cutToo: boolean;
  readonly holds: (text: string) => boolean;
}

const isLoose = (wanted: TokenTest) => wanted.form === 'written' && wanted.place !== 'whole';

/** Whether a token with this word may pass `wanted`; `test` is its counterpart in the vocabulary. */
export function wordFilter(wanted: TokenTest, test: TokenTest): (word: string) => boolean {
  const holds = formFilter(test);
  return isLoose(wanted) ? (word) => isCut(word) || holds(word) : holds;
}

function piecesOf(test: TokenTest): readonly string[] {
  if (test.errors > 0) return unbrokenPieces(test);
  return test.text === '' ? [] : [test.text];
}

/** The terms or words of a vocabulary for tokens in these languages that may pass `wanted`. */
export function textFilter(wanted: TokenTest, test: TokenTest, languages: readonly Language[]): TextFilter {
  const pieces = piecesOf(test);
  if (test.form !== 'term')
    return { among: 'words', pieces, cutToo: isLoose(wanted), holds: wordFilter(wanted, test) };
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

/** Words that contain one of these, and words that may continue with one. */
export const fragmentFilter = (fragments: readonly string[]): TextFilter => ({
  ...{ among: 'words', pieces: fragments.includes('') ? [] : fragments, cutToo: true },
  holds: (word) => isCut(word) || fragments.some((fragment) => word.includes(fragment)),
});
