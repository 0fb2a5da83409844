import { allField } from '../index-database/index-fields.ts';
import type { TermFrequencies, TermFrequency } from '../postings/term-frequencies.ts';
import type { RankedTerm } from './ranking.ts';
import { cosine, type Topics } from './topic-vectors.ts';

/** Number of the best objects that are assumed to be relevant. */
export const feedbackDepth = 10;
/** Number of the best objects that are compared with each other. */
export const companyDepth = 50;

const feedbackTerms = 30;
/** The weight of the best objects' terms beside those of the query. */
export const feedbackWeight = 0.2;
const neighbours = 5;
const companyWeight = 0.3;

/**
 * Pseudo-relevance feedback (Rocchio): the terms that the best objects share, each by the score of those that have it;
 * weights add up to 1. Terms of more than a tenth of all objects are left out.
 */
export async function termsOfBest(
  scores: readonly number[],
  { terms, vectors }: Topics,
  frequencies: TermFrequencies,
): Promise<readonly Pick<RankedTerm, 'term' | 'weight'>[]> {
  const sum = scores.reduce((total, score) => total + score, 0) || 1;
  const weights = new Float64Array(terms.length);
  for (const [order, score] of scores.entries()) {
    const vector = vectors[order] as Float32Array;
    for (let index = 0; index < vector.length; index++)
      weights[index] = (weights[index] as number) + ((vector[index] as number) * score) / sum;
  }
  const max = Math.max(100, frequencies.objects / 10);
  const counts = await Promise.all(terms.map((term) => frequencies.of(allField, term)));
  const shared = terms
    .map((term, index) => ({
      term,
      weight: weights[index] as number,
      frequency: (counts[index] as TermFrequency).objects,
    }))
    .filter(({ weight, frequency }) => weight > 0 && frequency <= max)
    .sort((x, y) => y.weight - x.weight || (x.term < y.term ? -1 : 1))
    .slice(0, feedbackTerms);
  const whole = shared.reduce((total, { weight }) => total + weight, 0) || 1;
  return shared.map(({ term, weight }) => ({ term, weight: weight / whole }));
}

/**
 * Draws each score towards those of its nearest neighbours by topic. The given objects are the best ones, and
 * none falls below the lowest of their old scores.
 */
export function smoothedScores(scores: readonly number[], { vectors }: Topics): number[] {
  const floor = Math.min(...scores);
  const smoothed = scores.map((score, index) => {
    const near = vectors
      .map((vector, other) => ({
        closeness: other === index ? 0 : cosine(vectors[index] as Float32Array, vector),
        score: scores[other] as number,
      }))
      .sort((x, y) => y.closeness - x.closeness)
      .slice(0, neighbours);
    const whole = near.reduce((sum, { closeness }) => sum + closeness, 0);
    if (whole === 0) return score;
    const theirs = near.reduce((sum, { closeness, score: other }) => sum + closeness * other, 0) / whole;
    return (1 - companyWeight) * score + companyWeight * theirs;
  });
  const lift = Math.max(0, floor - Math.min(...smoothed));
  return smoothed.map((score) => score + lift);
}
