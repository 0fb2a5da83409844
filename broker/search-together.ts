import { summedStatistics } from './collection-statistics.ts';
import type { SearchAnswer, SearchHit, SearchParameters } from './search-answer.ts';
import type { CollectionStatistics } from './search-engine.ts';

/** A Broker that can be searched together with others: this process's own, or one elsewhere. */
export interface SearchedBroker {
  /** What people call it: its address. */
  readonly name: string;
  statistics(q: string): Promise<CollectionStatistics>;
  search(parameters: SearchParameters): Promise<SearchAnswer>;
}

/** One ranked list of several Brokers. */
export interface TogetherAnswer extends Omit<SearchAnswer, 'hits' | 'facets' | 'sources'> {
  readonly hits: readonly (SearchHit & { readonly broker: string })[];
  readonly brokers: readonly {
    readonly name: string;
    readonly total: number;
    /** Why it is not in the list. */
    readonly error: string | null;
  }[];
}

type Outcome<Result> = { readonly name: string; readonly result?: Result; readonly error?: unknown };

async function fromEach<Result>(
  brokers: readonly SearchedBroker[],
  ask: (broker: SearchedBroker) => Promise<Result>,
): Promise<readonly (Outcome<Result> & { readonly broker: SearchedBroker })[]> {
  return Promise.all(
    brokers.map(async (broker) => {
      try {
        return { broker, name: broker.name, result: await ask(broker) };
      } catch (error) {
        return { broker, name: broker.name, error };
      }
    }),
  );
}

/**
 * Search several Brokers as if their objects stood in one: each first says how often the query's terms stand there, the
 * sums are what all rank by, and the lists are merged by score. An object that several have is shown once, as the first
 * of them has it. A Broker that fails is left out and named. Rejects only when every one fails, as the first did.
 */
export async function searchTogether(
  brokers: readonly SearchedBroker[],
  parameters: Omit<SearchParameters, 'statistics' | 'widen'>,
): Promise<TogetherAnswer> {
  const started = performance.now();
  const counted = await fromEach(brokers, (broker) => broker.statistics(parameters.q));
  const statistics = summedStatistics(counted.flatMap(({ result }) => result ?? []));
  const reached = counted.flatMap(({ broker, error }) => (error === undefined ? [broker] : []));
  const asked = {
    ...{ ...parameters, statistics, offset: 0 },
    limit: parameters.offset + parameters.limit,
  };
  let answers = await fromEach(reached, (broker) => broker.search({ ...asked, widen: false }));
  // Any of the words will do only where no Broker has them all.
  if (answers.every(({ result }) => (result?.total ?? 0) === 0))
    answers = await fromEach(reached, (broker) => broker.search({ ...asked, widen: true }));
  const failures = [...counted, ...answers].filter(({ error }) => error !== undefined);
  const first = answers.find(({ result }) => result !== undefined)?.result;
  if (first === undefined) throw failures[0]?.error;
  const seen = new Set<string>();
  const hits = answers
    .flatMap(({ name, result }) => (result?.hits ?? []).map((hit) => ({ ...hit, broker: name })))
    .sort((a, b) => b.score - a.score)
    .filter(({ oid }) => !seen.has(oid) && seen.add(oid))
    .slice(parameters.offset, parameters.offset + parameters.limit);
  return {
    query: first.query,
    understood: first.understood,
    notes: first.notes,
    relaxed: first.relaxed,
    suggestion: first.suggestion,
    corrected: null,
    cursor: null,
    entries: answers.reduce((sum, { result }) => sum + (result?.entries ?? result?.total ?? 0), 0),
    rebuilding: answers.map(({ result }) => result?.rebuilding).find((one) => one != null) ?? null,
    total: answers.reduce((sum, { result }) => sum + (result?.total ?? 0), 0),
    tookMs: Math.round((performance.now() - started) * 100) / 100,
    hits,
    brokers: brokers.map(({ name }) => {
      const failed = failures.find((one) => one.name === name)?.error;
      return {
        name,
        total: answers.find((one) => one.name === name)?.result?.total ?? 0,
        error: failed === undefined ? null : failed instanceof Error ? failed.message : String(failed),
      };
    }),
  };
}
