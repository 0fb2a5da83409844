import { failure } from '../../kernel/index.ts';
import { parseQuery, typedText } from '../../query/index.ts';
import { type CollectionStatistics, maxPhraseGain, maxScore, maxTitleGain } from '../engines/index.ts';
import { brokerErrors } from '../errors.ts';
import { type SearchParameters, statisticsBounds } from '../searching/index.ts';
import type { SearchedBroker } from './remote-list.ts';

/** A Broker may have grown since its description: by its own size and by this number of objects. */
const growth = 100_000;

/** No Broker has more objects, whatever its description says. */
const maxObjects = 1_000_000_000;

/** Max occurrences of a term in an object, on the average. */
const maxOccurrences = 10_000;

/** Scores are rounded to three digits. */
const rounding = 0.001;

/** Whether the query consists of bare words, and the statistics have each of their terms. */
function isPlain({ q, options = {} }: SearchParameters, { terms }: CollectionStatistics): boolean {
  // Terms are counted for the text of a query alone, and some options change them.
  const changed = [options.case, options.part, options.errors].some((value) => value !== undefined);
  return !changed && !/[#:]/.test(q) && terms.length > 0 && terms.length < statisticsBounds.terms / 2;
}

/**
 * A Broker whose numbers are checked: its counts by the number of objects in its signed description, and its scores by
 * the statistics that it was sent. Throws BROKER_REMOTE, which leaves the Broker out.
 */
export function checkedBroker(broker: SearchedBroker, described = 0): SearchedBroker {
  const max = Math.min(maxObjects, 2 * described + growth);
  const lie = (why: string) => failure(brokerErrors.BROKER_REMOTE, { address: broker.name, why });
  const check = (counts: readonly number[]) => {
    const excess = counts.find((count) => count > max);
    if (excess !== undefined) throw lie(`it reports ${excess} objects, and its description has ${described}`);
  };
  return {
    ...broker,
    statistics: async (q) => {
      const statistics = await broker.statistics(q);
      check([statistics.objects, ...statistics.terms.map(({ objects }) => objects)]);
      const often = statistics.terms.find(
        ({ objects, occurrences }) => occurrences > objects * maxOccurrences,
      );
      if (often !== undefined)
        throw lie(`it reports ${often.occurrences} occurrences of a term in ${often.objects} objects`);
      return statistics;
    },
    search: async (parameters) => {
      const answer = await broker.search(parameters);
      check([answer.total, answer.entries]);
      const { statistics } = parameters;
      if (statistics === undefined) return answer;
      const highest = maxScore(statistics, isPlain(parameters, statistics)) + rounding;
      const text = typedText(parseQuery(parameters.q, { options: parameters.options ?? {} }).query);
      for (const { score, title } of answer.hits) {
        if (score <= highest) continue;
        const max =
          highest + (text === undefined ? 0 : Math.max(maxPhraseGain(text), maxTitleGain(text, title)));
        if (score > max)
          throw lie(`it reports a score of ${score}, and at most ${max.toFixed(3)} is possible`);
      }
      return answer;
    },
  };
}
