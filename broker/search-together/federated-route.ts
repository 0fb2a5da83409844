import { type Route, type RouteRequest, schemas } from '../../http/index.ts';
import { ClientSlots, failure, parseDuration } from '../../kernel/index.ts';
import { brokerErrors } from '../errors.ts';
import {
  countParameter,
  flagParameter,
  searchAnswerWith,
  searchParameters,
  searchParameterTable,
  textParameter,
} from '../requests/index.ts';
import { maxBrokers, usualBrokers } from './choose-brokers.ts';
import { type FederatedOptions, type FederatedSearch, searchFederated } from './federated-search.ts';

const { count, flag, list, object, orNull, text } = schemas;

const federatedAnswer = searchAnswerWith(
  { broker: text, alsoAt: list(object({ broker: text, oid: text, url: text })) },
  {
    coverage: object({ answered: count, asked: count }),
    brokers: list(
      object({ name: text, title: text, total: count, counted: flag, error: orNull(text) }, 'title'),
    ),
    omitted: list(object({ name: text, title: text, why: text })),
    omittedTotal: count,
  },
);

const refused = (field: string, reason: string) => failure(brokerErrors.BROKER_QUERY, { field, reason });

/** Read the parameters of a federated search. Throws BROKER_QUERY. */
export function federatedSearch(request: RouteRequest, maxDeadlineMs: number): FederatedSearch {
  const { statistics: _, correct: __, cursor: ___, ...parameters } = searchParameters(request);
  const { brokers = '', deadline = '', fold } = request.query;
  const max = brokers === '' ? usualBrokers : Number(/^\d{1,3}$/.exec(brokers)?.[0]);
  if (!(max >= 1 && max <= maxBrokers))
    throw refused('brokers', `must be a whole number from 1 to ${maxBrokers}`);
  const plain = /^\d{1,4}(?:\.\d{1,3})?$/.exec(deadline)?.[0];
  const seconds = plain === undefined ? parseDuration(deadline) : Number(plain);
  const deadlineMs = deadline === '' ? maxDeadlineMs : (seconds ?? 0) * 1000;
  if (!(deadlineMs > 0 && deadlineMs <= maxDeadlineMs))
    throw refused(
      'deadline',
      `must be seconds above 0, such as 2 or 2s, and at most the registry.deadline of this Registry, ${maxDeadlineMs / 1000}s`,
    );
  // Copies of a document lie in several Brokers more often than in one.
  return {
    parameters: { ...parameters, fold: fold ? parameters.fold === true : true },
    max,
    deadlineMs,
    signal: request.signal,
  };
}

/** The federated searches that run, for all clients and for each. */
export class SearchSlots {
  readonly #slots = new ClientSlots({ max: 16, perClient: 8 });

  /** Take a place, which disposing frees. Throws BROKER_FEDERATED_BUSY. */
  enter(client: string): Disposable {
    const slot = this.#slots.enter(client);
    if (typeof slot === 'string') throw failure(brokerErrors.BROKER_FEDERATED_BUSY, {});
    return slot;
  }
}

/** `GET /federated`: one ranked list of the objects of the Brokers in a directory. */
export function federatedRoute(options: FederatedOptions): Route {
  const slots = new SearchSlots();
  return {
    method: 'GET',
    path: '/federated',
    summary: 'Search the objects of the registered Brokers as one list; each hit names its Brokers',
    scope: 'public',
    parameters: [
      ...searchParameterTable
        .filter(({ name }) => !['fields', 'format'].includes(name))
        .map((one) =>
          one.name === 'fold'
            ? flagParameter('fold', '0: documents with the same bytes are separate hits; default 1')
            : one,
        ),
      countParameter('brokers', `Max Brokers to ask; default ${usualBrokers}`, maxBrokers, 1),
      textParameter(
        'deadline',
        'Time after which the answer is sent, such as 2 or 2s; at most registry.deadline',
      ),
    ],
    response: federatedAnswer,
    handle: async (request) => {
      const search = federatedSearch(request, options.deadlineMs);
      using _slot = slots.enter(request.client ?? '');
      return { json: await searchFederated(options, search) };
    },
  };
}
