import type { CollectionStatistics } from '../model/search-engine.ts';
import { inverseFrequency, maxImpact } from '../postings/impact.ts';
import { maxNearness } from './nearness.ts';

/** Statistics may lack terms of a query. They add as much as this many terms that one object has. */
const unlistedTerms = 3;

/** An index may grow between the counting of its terms and the search. */
const growth = 1.25;

/**
 * The max score of an object that is ranked by statistics of several indexes together: no weight is above 1, and
 * neither feedback nor signals count. `isComplete` where the statistics have every term of the query.
 */
export function maxScore({ objects, terms }: CollectionStatistics, isComplete: boolean): number {
  const listed = terms.reduce((sum, term) => sum + inverseFrequency(objects, term.objects), 0);
  const unlisted = isComplete ? 0 : unlistedTerms * inverseFrequency(objects, 1);
  return growth * (maxImpact + maxNearness) * (listed + unlisted);
}
