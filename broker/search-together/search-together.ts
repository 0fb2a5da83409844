import { failure } from '../../kernel/index.ts';
import { parseQuery } from '../../query/index.ts';
import { brokerErrors } from '../errors.ts';
import { type SearchAnswer, type SearchParameters, summedStatistics } from '../searching/index.ts';
import { mergedFacets } from './merged-facets.ts';
import { type MergedHit, mergedHits } from './merged-hits.ts';
import type { SearchedBroker } from './remote-list.ts';
import { maxPageSize, RemoteList } from './remote-list.ts';

/** Max depth of paging through a merged list, because each page merges it from its beginning. */
export const maxMerged = 10_000;

/** Max notes in the answer, of all Brokers together. */
const maxNotes = 16;

export type TogetherParameters = Omit<SearchParameters, 'statistics' | 'correct' | 'cursor'>;

export interface TogetherOptions {
  /** Max hits in one answer of a Broker, by the number of matching lines wanted of each; 100 when absent. */
  readonly pageSize?: (lines: number) => number;
  /** Max depth of paging. */
  readonly maxDepth?: number;
  /** Whether an answer without hits names the Brokers when all fail, instead of rejecting. */
  readonly mayAllFail?: boolean;
}

/** One ranked list of several Brokers. Its counts count an object once for each Broker that has it. */
export interface TogetherAnswer extends Omit<SearchAnswer, 'hits' | 'sources'> {
  readonly hits: readonly MergedHit[];
  /** `total` and `facets` are those of `answered` of the `asked` Brokers. */
  readonly coverage: { readonly answered: number; readonly asked: number };
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

/** The parameters of a round, and the number of hits that are wanted and sent at once. */
interface Wanted extends Omit<SearchParameters, 'limit' | 'offset' | 'statistics'> {
  readonly size: { readonly wanted: number; readonly pageSize: number };
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
async function roundOf(brokers: readonly SearchedBroker[], { size, ...parameters }: Wanted): Promise<Round> {
  const counted = await fromEach(brokers, (broker) => broker.statistics(parameters.q));
  const statistics = summedStatistics(counted.results.map(([, result]) => result));
  const opened = await fromEach(
    counted.results.map(([broker]) => broker),
    (broker) => RemoteList.open(broker, { ...parameters, statistics }, size),
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
  parameters: Wanted,
): Promise<{ readonly round: Round; readonly corrected: string | null }> {
  const brokers = first.lists.map(({ broker }) => broker);
  if (suggestion !== null) {
    const round = await roundOf(brokers, { ...parameters, q: suggestion, widen: false });
    if (!isEmpty(round)) return { round, corrected: suggestion };
  }
  const round = await roundOf(brokers, { ...parameters, widen: true, correct: false });
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
 * fails, with the first error, with BROKER_NO_BROKERS when there are none, and with BROKER_QUERY beyond the max depth.
 */
export async function searchTogether(
  brokers: readonly SearchedBroker[],
  parameters: TogetherParameters,
  { pageSize = () => maxPageSize, maxDepth = maxMerged, mayAllFail = false }: TogetherOptions = {},
): Promise<TogetherAnswer> {
  const started = performance.now();
  const { limit, offset, ...asked } = parameters;
  if (limit + offset > maxDepth)
    throw failure(brokerErrors.BROKER_QUERY, {
      field: 'offset',
      reason: `and limit exceed ${maxDepth} hits, the limit for a search of several Brokers`,
    });
  if (brokers.length === 0 && !mayAllFail) throw failure(brokerErrors.BROKER_NO_BROKERS, {});
  const typed = parseQuery(asked.q, { options: asked.options ?? {} });
  const { max = maxDepth, lines = 0 } = typed.options;
  const end = limit === 0 ? 0 : Math.min(offset + limit, max);
  const wanted: Wanted = { ...asked, size: { wanted: end, pageSize: pageSize(lines) } };
  const first = await roundOf(brokers, { ...wanted, widen: false });
  const [firstList] = first.lists;
  if (firstList === undefined && !mayAllFail) throw first.failed[0]?.error;
  const suggestion = commonSuggestion(first);
  const mayWiden = asked.exact !== true && asked.widen !== false && first.lists.length > 0 && isEmpty(first);
  const { round, corrected } = mayWiden
    ? await wideRound(first, suggestion, wanted)
    : { round: first, corrected: null };
  const hits = end > offset ? await mergedHits(round.lists, { ...asked, offset, end }) : [];
  const broken = round.lists.flatMap(({ broker, error }) =>
    error === undefined ? [] : [{ name: broker.name, error }],
  );
  const failed = [...first.failed, ...round.failed, ...broken];
  const answers = round.lists.map(({ answer }) => answer);
  const partial = answers.flatMap((answer) => answer.partial ?? []).slice(0, maxNotes);
  return {
    query: asked.q,
    understood: firstList?.answer.understood ?? typed.understood,
    notes: [...new Set(first.lists.flatMap(({ answer }) => answer.notes))].slice(0, maxNotes),
    relaxed: answers.some(({ relaxed, total }) => relaxed && total > 0),
    ...{ suggestion, corrected, cursor: null },
    entries: summed(answers.map(({ entries }) => entries)),
    facets: mergedFacets(
      answers,
      asked.sources.length + asked.types.length + (asked.filters ?? []).length > 0,
    ),
    rebuilding: answers.map(({ rebuilding }) => rebuilding).find((one) => one !== null) ?? null,
    total: summed(answers.map(({ total }) => total)),
    ...(partial.length > 0 && { partial }),
    tookMs: Math.round((performance.now() - started) * 100) / 100,
    hits,
    coverage: { answered: round.lists.length, asked: brokers.length },
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
