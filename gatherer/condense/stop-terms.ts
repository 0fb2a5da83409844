import { functionWords, termsOf } from '../../query/index.ts';

let byLanguage: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Terms of the stop words of a language (ISO 639-1); empty for an unknown one. */
export function stopTerms(language: string | undefined): ReadonlySet<string> {
  byLanguage ??= new Map(
    Object.entries(functionWords).map(([code, text]) => [code, new Set(termsOf(text))] as const),
  );
  return byLanguage.get(language ?? '') ?? new Set();
}
