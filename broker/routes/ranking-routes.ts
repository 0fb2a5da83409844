import type { Route, RouteRequest } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { brokerErrors } from '../errors.ts';
import { statisticsText } from '../searching/index.ts';
import type { Broker } from '../service/index.ts';

function required(request: RouteRequest, name: string): string {
  const value = request.query[name];
  if (value === undefined) throw failure(brokerErrors.BROKER_QUERY, { field: name, reason: 'is missing' });
  return value;
}

const text = (name: string, describe: string) =>
  ({ name, in: 'query', describe, required: true, schema: { type: 'string' } }) as const;

/** What a Broker says of how it ranks. */
export function rankingRoutes({ queries }: Pick<Broker, 'queries'>): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/why',
      summary: 'How an object came by its score for a query',
      scope: 'public',
      parameters: [text('q', 'The query'), text('oid', 'Object identifier')],
      handle: async (request) => ({
        json: await queries.explain(required(request, 'q'), required(request, 'oid'), request.signal),
      }),
    },
    {
      method: 'GET',
      path: '/statistics',
      summary:
        'How often the terms of a query stand here: summed over several Brokers and given to each as `statistics` of a search, their scores can be compared',
      scope: 'public',
      parameters: [text('q', 'The query')],
      handle: async (request) => {
        const statistics = await queries.statistics(required(request, 'q'));
        return { json: { ...statistics, text: statisticsText(statistics) } };
      },
    },
  ];
}
