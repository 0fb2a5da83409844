// Ways to choose Brokers for a query, with which the product's is compared.
import type { Random } from '../../kernel/index.ts';
import { type ContentSummary, ServerSelector } from '../../registry/index.ts';
import { shuffled, stemsOf } from './cuts.ts';

/** A query with what the bounds know of its answer, by Broker. */
export interface Asked {
  readonly text: string;
  /** How many of the first hundred of the whole answer each Broker has. */
  readonly ofHundred: readonly number[];
  /** The same of the answer without the documentation. */
  readonly ofOwnHundred: readonly number[];
  readonly ofTen: readonly number[];
  /** How many relevant documents each Broker has. */
  readonly relevant: readonly number[];
}

/** The score of each Broker for a query. */
export type Chooser = (asked: Asked) => readonly number[];

/** The Brokers with the highest scores; the first of equal ones. */
export const bestOf = (scores: readonly number[], count: number): readonly number[] =>
  [...scores.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b).slice(0, count);

const different = (text: string) => [...new Set(stemsOf(text))];

/** CORI (Callan 1995) with its usual constants. */
function cori(summaries: readonly ContentSummary[]): Chooser {
  const count = summaries.length;
  const average = summaries.reduce((sum, { words }) => sum + words, 0) / count;
  return ({ text }) => {
    const terms = different(text).map((term) => ({
      term,
      holding: summaries.filter(({ terms: listed }) => listed.has(term)).length,
    }));
    return summaries.map(({ terms: listed, words }) => {
      let score = 0;
      for (const { term, holding } of terms) {
        const objects = listed.get(term) ?? 0;
        const frequency = objects / (objects + 50 + (150 * words) / average);
        const rarity = holding === 0 ? 0 : Math.log((count + 0.5) / holding) / Math.log(count + 1);
        score += 0.4 + 0.6 * frequency * rarity;
      }
      return score / Math.max(1, terms.length);
    });
  };
}

/** The share of a normal distribution above `z` (Abramowitz and Stegun 26.2.17). */
function above(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (series * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
  return z >= 0 ? tail : 1 - tail;
}

/** As ReDDE: how many of the first hundred each has, estimated from its words as if they were independent. */
function counting(summaries: readonly ContentSummary[]): Chooser {
  const all = summaries.reduce((sum, { objects }) => sum + objects, 0);
  return ({ text }) => {
    const weights = different(text).map((term) => {
      const holding = summaries.reduce((sum, { terms }) => sum + (terms.get(term) ?? 0), 0);
      return [term, holding === 0 ? 0 : Math.log(1 + (all - holding + 0.5) / (holding + 0.5))] as const;
    });
    const spreads = summaries.map(({ terms, objects }) => {
      let [mean, variance] = [0, 0];
      for (const [term, weight] of weights) {
        const share = Math.min(1, (terms.get(term) ?? 0) / objects);
        mean += weight * share;
        variance += weight * weight * share * (1 - share);
      }
      return { mean, deviation: Math.sqrt(variance) || 1e-9, objects };
    });
    const beyond = (score: number) =>
      spreads.map(({ mean, deviation, objects }) => objects * above((score - mean) / deviation));
    let [low, high] = [0, 1000];
    for (let step = 0; step < 40; step++) {
      const middle = (low + high) / 2;
      if (beyond(middle).reduce((sum, count) => sum + count, 0) > 100) low = middle;
      else high = middle;
    }
    return beyond(low);
  };
}

/** The product's. */
function chosen(summaries: readonly ContentSummary[]): Chooser {
  const selector = new ServerSelector();
  for (const [number, summary] of summaries.entries()) selector.put(String(number), summary);
  return ({ text }) => {
    const scores = new Array<number>(summaries.length).fill(0);
    for (const [rank, { id }] of selector.rank(text).entries()) scores[Number(id)] = -rank;
    return scores;
  };
}

/** All ways by name. */
export function choosers(summaries: readonly ContentSummary[], random: Random) {
  return {
    blind: ({ text: _ }) => shuffled([...summaries.keys()], random),
    size: () => summaries.map(({ objects }) => objects),
    counting: counting(summaries),
    cori: cori(summaries),
    chosen: chosen(summaries),
    bound: ({ ofHundred }) => ofHundred,
    boundOfOwn: ({ ofOwnHundred }) => ofOwnHundred,
    boundOfTen: ({ ofTen }) => ofTen,
    oracle: ({ relevant }) => relevant,
  } satisfies Readonly<Record<string, Chooser>>;
}
