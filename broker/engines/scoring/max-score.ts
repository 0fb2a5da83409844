import { typedWordOf } from '../../../query/index.ts';
import type { CollectionStatistics, TermStatistics } from '../model/search-engine.ts';
import { inverseFrequency, maxImpact } from '../postings/impact.ts';
import { maxNearness } from './nearness.ts';
import { maxTypedWeight, pairTypedWeight, titleWeight } from './ranking.ts';

/** Max sum of the weights of the terms of one object: 1 in its language, and 1 of terms that languages share. */
const maxWeight = 2;

/** Statistics may lack terms of a query. They add as much as this many terms that one object has. */
const unlistedTerms = 3;

/** An index may grow between the counting of its terms and the search. */
const growth = 1.25;

/**
 * The max score of an object that is ranked by statistics of several indexes together, where neither feedback nor
 * signals count. `isPlain` where the query consists of bare words, and the statistics have each of their terms.
 */
export function maxScore({ objects, terms }: CollectionStatistics, isPlain: boolean): number {
  const inverse = (term: TermStatistics) => inverseFrequency(objects, term.objects);
  const titles = terms.filter(({ field }) => field === 'title').map(inverse);
  const isTyped = ({ term }: TermStatistics) => typedWordOf(term) !== undefined;
  const others = terms.filter((one) => one.field !== 'title' && !isTyped(one)).map(inverse);
  const typed = terms.filter(isTyped).map(inverse);
  const formWeight = typed.length === 1 ? maxTypedWeight : pairTypedWeight;
  const sum = (title: number) =>
    [...others, ...titles.map((one) => title * one), ...typed.map((one) => formWeight * one)].reduce(
      (total, one) => total + one,
      0,
    );
  const best =
    Math.max(0, ...others) + titleWeight * Math.max(0, ...titles) + formWeight * Math.max(0, ...typed);
  const all = isPlain
    ? Math.min(sum(titleWeight), maxWeight * best)
    : sum(1) + unlistedTerms * inverseFrequency(objects, 1);
  return growth * (maxImpact + maxNearness) * all;
}
