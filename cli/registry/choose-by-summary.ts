import type { ChooseBrokers, ListedBroker } from '../../broker/index.ts';
import { isGarnerError, Pacing } from '../../kernel/index.ts';
import { readSummary, registryErrors, ServerSelector } from '../../registry/index.ts';

interface Known {
  readonly text: string;
  readonly objects: number;
}

/** A summary is read again when the number of objects has changed by more than one part in this many. */
const steady = 8;

/** Summaries read before other work has its turn. */
const summariesAtOnce = 32;

const unreadable = 'it describes no readable content summary, and others have words of the query';
const foreign = 'its content summary has no word of the query';
const worse = 'the content summaries of others suit the query better';

/**
 * Choose Brokers by their content summaries: those that suit the query, best first, then those without a readable
 * summary, then those without a word of the query. `summaryOf` is the text in a Broker's description, empty for
 * none. Choosing throws the errors of `parseQuery`.
 */
export function chooseBySummary(summaryOf: (broker: ListedBroker) => string): ChooseBrokers {
  const selector = new ServerSelector();
  const known = new Map<string, Known>();

  /** Returns whether the summary was read. */
  const learn = (broker: ListedBroker): boolean => {
    const [text, objects] = [summaryOf(broker), broker.objects ?? 0];
    const before = known.get(broker.url);
    if (before?.text === text && Math.abs(before.objects - objects) * steady <= before.objects) return false;
    known.set(broker.url, { text, objects });
    selector.delete(broker.url);
    if (text === '' || objects === 0) return false;
    try {
      selector.put(broker.url, readSummary(text, objects));
    } catch (error) {
      // Another version may write what this one does not read: such a Broker counts as one without a summary.
      if (!isGarnerError(error, registryErrors.REGISTRY_ATTRIBUTE)) throw error;
    }
    return true;
  };

  return async (query, listed, max) => {
    if (listed.length <= max) return { chosen: listed, omitted: [] };
    const pacing = new Pacing(summariesAtOnce);
    for (const broker of listed) if (learn(broker)) await pacing.pause(1);
    const urls = new Set(listed.map(({ url }) => url));
    for (const url of known.keys())
      if (!urls.has(url)) {
        known.delete(url);
        selector.delete(url);
      }
    const scores = new Map(selector.rank(query).map(({ id, score }, rank) => [id, { score, rank }]));
    const placeOf = ({ url }: ListedBroker) => {
      const found = scores.get(url);
      if (found === undefined) return { group: 1, rank: 0 };
      return { group: found.score > 0 ? 0 : 2, rank: found.rank };
    };
    const ordered = listed
      .map((broker) => ({ broker, ...placeOf(broker) }))
      .sort((a, b) => a.group - b.group || a.rank - b.rank);
    return {
      chosen: ordered.slice(0, max).map(({ broker }) => broker),
      omitted: ordered.slice(max).map(({ broker, group }) => ({
        broker,
        why: [worse, unreadable, foreign][group] as string,
      })),
    };
  };
}
