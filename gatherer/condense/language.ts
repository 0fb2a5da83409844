import { functionWords, scanWords, termOf } from '../../query/index.ts';

/** Terms of the stop words of each language, made at the first need. */
let termsByLanguage: ReadonlyMap<string, ReadonlySet<string>> | undefined;
/** Each stop word's term with the languages that have it. */
let languagesByTerm: ReadonlyMap<string, readonly string[]> | undefined;

function tables(): readonly [
  byLanguage: ReadonlyMap<string, ReadonlySet<string>>,
  byTerm: ReadonlyMap<string, readonly string[]>,
] {
  if (termsByLanguage !== undefined && languagesByTerm !== undefined)
    return [termsByLanguage, languagesByTerm];
  const byTerm = new Map<string, string[]>();
  const byLanguage = new Map<string, ReadonlySet<string>>();
  for (const [language, text] of Object.entries(functionWords)) {
    const terms = new Set<string>();
    scanWords(text, (word) => {
      terms.add(termOf(word));
      return false;
    });
    byLanguage.set(language, terms);
    for (const term of terms) byTerm.set(term, [...(byTerm.get(term) ?? []), language]);
  }
  [termsByLanguage, languagesByTerm] = [byLanguage, byTerm];
  return [byLanguage, byTerm];
}

/** Languages with a list of stop words, as ISO 639-1 codes. */
export const knownLanguages: readonly string[] = Object.keys(functionWords);

// A text with fewer stop words than one in twelve is a table, a program or in another language; so is one with a
// single one again and again.
const minShare = 1 / 12;
const leastDifferent = 2;

/**
 * The language of a text by its stop words: each term once, with how often it occurs. A declared language wins
 * unless another has more than twice its stop words. Undefined when hardly any stop word of any language occurs.
 */
export function languageOf(
  counts: Iterable<readonly [term: string, count: number]>,
  declared?: string,
): string | undefined {
  const [, byTerm] = tables();
  const hits = new Map<string, { count: number; different: number }>();
  let total = 0;
  for (const [term, count] of counts) {
    total += count;
    for (const language of byTerm.get(term) ?? []) {
      const hit = hits.get(language) ?? { count: 0, different: 0 };
      hit.count += count;
      hit.different++;
      hits.set(language, hit);
    }
  }
  const hitsOf = (language: string | undefined) => hits.get(language ?? '')?.count ?? 0;
  let best: string | undefined;
  for (const language of knownLanguages) if (hitsOf(language) > hitsOf(best)) best = language;
  const named = declared?.slice(0, 2).toLowerCase();
  if (hitsOf(named) > 0 && 2 * hitsOf(named) >= hitsOf(best)) return named;
  const enough = hitsOf(best) >= total * minShare && (hits.get(best ?? '')?.different ?? 0) >= leastDifferent;
  return enough ? best : undefined;
}

const none: ReadonlySet<string> = new Set();

/** Terms of the stop words of a language; empty for an unknown one. */
export function stopTerms(language: string | undefined): ReadonlySet<string> {
  return tables()[0].get(language ?? '') ?? none;
}
