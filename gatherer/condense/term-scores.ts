import { rarity } from './background.ts';
import { languageOf, stopTerms } from './language.ts';
import type { Reading } from './tokenised-document.ts';

// Half the worth of a word that is repeated for ever is reached after this many plain occurrences.
const saturation = 1.5;
/** A stop word that a title or heading holds keeps this much. */
const stopShare = 0.05;
const shapeless = /^\d+$|^.$/u;
const kana = /^[\u3040-\u309f]+$/;

/** How much each term of a document tells about it, by identifier, with the language that was found. */
export interface TermScores {
  readonly scores: Float64Array;
  /** Stop words of the language, by identifier. */
  readonly stop: Uint8Array;
  readonly language: string | undefined;
}

/**
 * Score every term: its weighted frequency, saturated, times its rarity at large. Numbers, single letters and pairs
 * of hiragana (grammar, mostly) count less, stop words hardly at all.
 */
export function scoreTerms(reading: Reading, declared: string | undefined): TermScores {
  const { terms, weights } = reading;
  const language = languageOf(countsOf(reading), declared);
  const stops = stopTerms(language);
  const scores = new Float64Array(terms.length);
  const stop = new Uint8Array(terms.length);
  for (let id = 0; id < terms.length; id++) {
    const term = terms[id] as string;
    const weight = weights[id] as number;
    let score = (weight / (weight + saturation)) * (1 + rarity(term));
    if (stops.has(term)) {
      stop[id] = 1;
      score *= stopShare;
    } else if (shapeless.test(term) || kana.test(term)) score *= 0.3;
    scores[id] = score;
  }
  return { scores, stop, language };
}

function* countsOf({ terms, weights }: Reading): Generator<readonly [string, number]> {
  for (let id = 0; id < terms.length; id++) yield [terms[id] as string, weights[id] as number];
}
