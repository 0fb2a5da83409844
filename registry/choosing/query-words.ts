import {
  isSearchedByBareWords,
  type Language,
  parseQuery,
  positiveLeaves,
  termParts,
} from '../../query/index.ts';

/** A word of a query: its stem in each language in which it is no function word. */
export type QueryWord = ReadonlyMap<Language, string>;

/**
 * The words of a query that bare words find, as summaries in these languages list them. Prefixes, words with
 * errors and expressions are left out. Throws the errors of `parseQuery`.
 */
export function queryWords(text: string, languages: Iterable<Language>): readonly QueryWord[] {
  const { query } = parseQuery(text);
  const words = new Map<number, Map<Language, string>>();
  for (const language of languages) {
    const leaves = positiveLeaves(query, language);
    const nothingElse = leaves.every(({ stop }) => stop);
    const seen = new Set<string>();
    let at = 0;
    for (const { terms, attribute, stop } of leaves) {
      const counts = attribute === undefined || isSearchedByBareWords(attribute);
      for (const term of terms) {
        const number = at++;
        const stem = termParts(term)[1];
        if (!counts || seen.has(stem) || (stop && !nothingElse)) continue;
        seen.add(stem);
        const word = words.get(number) ?? new Map<Language, string>();
        words.set(number, word.set(language, stem));
      }
    }
  }
  return [...words.values()];
}
