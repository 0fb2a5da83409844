import { failure } from '../../kernel/index.ts';
import { parseQuery } from '../../query/index.ts';
import { brokerErrors } from '../errors.ts';
import { type SearchAnswer, type SearchParameters, summedStatistics } from '../searching/index.ts';
import { mergedFacets } from './merged-facets.ts';
import { type MergedHit, mergedHits } from './merged-hits.ts';
import type { SearchedBroker } from './remote-list.ts';
import { RemoteList } from './remote-list.ts';

/** Max depth of paging through a merged list, because each page merges it from its beginning. */
export const maxMerged = 10_000;

/** Max notes in the answer, of all Brokers together. */
const maxNotes = 16;

export type TogetherParameters = Omit<SearchParameters, 'statistics' | 'correct' | 'cursor'>;

/** One ranked list of several Brokers. Its counts count an object once for each Broker that has it. */
export interface TogetherAnswer extends Omit<SearchAnswer, 'hits' | 'sources'> {
  readonly hits: readonly MergedHit[];
  readonly brokers: readonly {
    readonly name: string;
    /** What its operator calls it, where that is known. */
    readonly title?: string;
    readonly total: number;
    /** Whether it has answered: its objects are in `total` and `facets`. */
    readonly counted: boolean;
    /** The reason why the list lacks its hits or some of them. */
    readonly error: string | null;
  }[];
}

interface Failed {
  readonly name: string;
  readonly error: unknown;
}

/** One query to each Broker: the lists of those that answered, and the failures. */
interface Round {
  readonly lists: readonly RemoteList[];
  readonly failed: readonly Failed[];
}

const isEmpty = ({ lists }: Round) => lists.every(({ answer }) => answer.total === 0);

async function fromEach<Result>(
  brokers: readonly SearchedBroker[],
  ask: (broker: SearchedBroker) => Promise<Result>,
): Promise<{
  readonly results: readonly (readonly [SearchedBroker, Result])[];
  readonly failed: readonly Failed[];
}> {
  const failed: Failed[] = [];
  const answered = await Promise.all(
    brokers.map(async (broker) => {
      try {
        return [broker, await ask(broker)] as const;
      } catch (error) {
        failed.push({ name: broker.name, error });
        return undefined;
      }
    }),
  );
  return { results: answered.filter((one) => one !== undefined), failed };
}

/** Each reports how often the query's terms occur in it. All rank by the sums. */
async function roundOf(
  brokers: readonly SearchedBroker[],
  parameters: Omit<SearchParameters, 'limit' | 'offset' | 'statistics'>,
  wanted: number,
): Promise<Round> {
  const counted = await fromEach(brokers, (broker) => broker.statistics(parameters.q));
  const statistics = summedStatistics(counted.results.map(([, result]) => result));
  const opened = await fromEach(
    counted.results.map(([broker]) => broker),
    (broker) => RemoteList.open(broker, { ...parameters, statistics }, wanted),
  );
  return { lists: opened.results.map(([, list]) => list), failed: [...counted.failed, ...opened.failed] };
}

/** The correction of most Brokers; none where a Broker has matches and no correction. */
function commonSuggestion({ lists }: Round): string | null {
  const votes = new Map<string, number>();
  for (const { answer } of lists) {
    if (answer.suggestion !== null) votes.set(answer.suggestion, (votes.get(answer.suggestion) ?? 0) + 1);
    else if (answer.total > 0) return null;
  }
  const [best] = [...votes].sort((a, b) => b[1] - a[1]);
  return best?.[0] ?? null;
}

/** The round for a query without matches in any Broker: one correction for all, or else optional words. */
async function wideRound(
  first: Round,
  suggestion: string | null,
  parameters: Omit<SearchParameters, 'limit' | 'offset' | 'statistics'>,
  wanted: number,
): Promise<{ readonly round: Round; readonly corrected: string | null }> {
  const brokers = first.lists.map(({ broker }) => broker);
  if (suggestion !== null) {
    const round = await roundOf(brokers, { ...parameters, q: suggestion, widen: false }, wanted);
    if (!isEmpty(round)) return { round, corrected: suggestion };
  }
  const round = await roundOf(brokers, { ...parameters, widen: true, correct: false }, wanted);
  return { round: isEmpty(round) ? first : round, corrected: null };
}

/** A Broker's false counts cannot make the sum an invalid number. */
const summed = (counts: readonly number[]) =>
  Math.min(
    Number.MAX_SAFE_INTEGER,
    counts.reduce((sum, count) => sum + count, 0),
  );

/**
 * Search several Brokers as one: all rank by the same statistics, and their lists are merged. An object of
 * several Brokers is shown once. A Broker that fails is left out and named. Rejects only when every Broker
 * fails, with the first error, with BROKER_NO_BROKERS when there are none, and with BROKER_QUERY beyond `maxMerged`
 * hits.
 */
export async function searchTogether(
  brokers: readonly SearchedBroker[],
  parameters: TogetherParameters,
): Promise<TogetherAnswer> {
  const started = performance.now();
  const { limit, offset, ...wanted } = parameters;
  if (limit + offset > maxMerged)
    throw failure(brokerErrors.BROKER_QUERY, {
      field: 'offset',
      reason: `and limit exceed ${maxMerged} hits, the limit for a search of several Brokers`,
    });
  const { max = maxMerged } = parseQuery(wanted.q, { options: wanted.options ?? {} }).options;
  const end = limit === 0 ? 0 : Math.min(offset + limit, max);
  const first = await roundOf(brokers, { ...wanted, widen: false }, end);
  const [firstList] = first.lists;
  if (firstList === undefined) throw first.failed[0]?.error ?? failure(brokerErrors.BROKER_NO_BROKERS, {});
  const suggestion = commonSuggestion(first);
  const mayWiden = wanted.exact !== true && wanted.widen !== false && isEmpty(first);
  const { round, corrected } = mayWiden
    ? await wideRound(first, suggestion, wanted, end)
    : { round: first, corrected: null };
  const hits: MergedHit[] = [];
  let at = 0;
  if (end > offset)
    for await (const hit of mergedHits(round.lists, wanted)) {
      if (at++ >= offset) hits.push(hit);
      if (at === end) break;
    }
  const broken = round.lists.flatMap(({ broker, error }) =>
    error === undefined ? [] : [{ name: broker.name, error }],
  );
  const failed = [...first.failed, ...round.failed, ...broken];
  const answers = round.lists.map(({ answer }) => answer);
  const partial = answers.flatMap((answer) => answer.partial ?? []).slice(0, maxNotes);
  return {
    query: wanted.q,
    understood: firstList.answer.understood,
    notes: [...new Set(first.lists.flatMap(({ answer }) => answer.notes))].slice(0, maxNotes),
    relaxed: answers.some(({ relaxed, total }) => relaxed && total > 0),
    ...{ suggestion, corrected, cursor: null },
    entries: summed(answers.map(({ entries }) => entries)),
    facets: mergedFacets(
      answers,
      wanted.sources.length + wanted.types.length + (wanted.filters ?? []).length > 0,
    ),
    rebuilding: answers.map(({ rebuilding }) => rebuilding).find((one) => one !== null) ?? null,
    total: summed(answers.map(({ total }) => total)),
    ...(partial.length > 0 && { partial }),
    tookMs: Math.round((performance.now() - started) * 100) / 100,
    hits,
    brokers: brokers.map(({ name, title }) => {
      const error = failed.find((one) => one.name === name)?.error;
      const answer = round.lists.find(({ broker }) => broker.name === name)?.answer;
      return {
        ...{ name, ...(title === undefined ? {} : { title }) },
        total: answer?.total ?? 0,
        counted: answer !== undefined,
        error: error === undefined ? null : error instanceof Error ? error.message : String(error),
      };
    }),
  };
}
