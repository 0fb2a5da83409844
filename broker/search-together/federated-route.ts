import type { Fetch } from '../../fetch/index.ts';
import type { Route, RouteRequest } from '../../http/index.ts';
import { type Clock, failure } from '../../kernel/index.ts';
import { brokerErrors } from '../errors.ts';
import { searchParameters, searchParameterTable } from '../requests/index.ts';
import { askAt, brokerBehind } from './remote-broker.ts';
import type { SearchedBroker } from './remote-list.ts';
import { searchTogether, type TogetherAnswer } from './search-together.ts';

export interface FederatedOptions {
  /** The Brokers to ask now. */
  readonly brokers: () => readonly { readonly url: string; readonly name: string }[];
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly deadlineMs: number;
}

/** Max Brokers that one search asks. */
const maxBrokers = 64;

/** The share of the deadline for the counts of a query's terms: a Broker without them cannot be ranked. */
const countsShare = 0.4;

/** Search the Brokers of a directory as one; each answers before the deadline or is named without hits. */
export async function searchFederated(
  { brokers, fetch, clock, deadlineMs }: FederatedOptions,
  request: RouteRequest,
): Promise<TogetherAnswer> {
  const { statistics: _, correct: __, cursor: ___, ...parameters } = searchParameters(request);
  const end = new AbortController();
  const timer = new AbortController();
  const late = (address: string) =>
    failure(brokerErrors.BROKER_REMOTE, { address, why: `it has not answered in ${deadlineMs / 1000} s` });
  const signal = AbortSignal.any([request.signal, end.signal]);
  const behind = ({ url, name }: { readonly url: string; readonly name: string }): SearchedBroker => {
    const within = async <Answer>(patienceMs: number, ask: (broker: SearchedBroker) => Promise<Answer>) => {
      try {
        return await ask(brokerBehind(url, askAt(url, fetch, { clock, signal, patienceMs })));
      } catch (error) {
        throw end.signal.aborted ? late(url) : error;
      }
    };
    return {
      ...{ name: url, title: name },
      statistics: (q) => within(deadlineMs * countsShare, (broker) => broker.statistics(q)),
      search: (search) => within(deadlineMs, (broker) => broker.search(search)),
    };
  };
  const waiting = clock.sleep(deadlineMs, timer.signal).then(
    () => end.abort(),
    () => undefined,
  );
  try {
    return await searchTogether(brokers().slice(0, maxBrokers).map(behind), parameters);
  } finally {
    timer.abort();
    await waiting;
  }
}

/** `GET /federated`: one ranked list of the objects of every Broker in a directory. */
export function federatedRoute(options: FederatedOptions): Route {
  return {
    method: 'GET',
    path: '/federated',
    summary: 'Search the objects of the registered Brokers as one list; each hit names its Broker',
    scope: 'public',
    parameters: searchParameterTable,
    handle: async (request) => ({ json: await searchFederated(options, request) }),
  };
}
