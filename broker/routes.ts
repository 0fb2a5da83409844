import type { Route, RouteRequest, RouteResponse } from '../http/index.ts';
import { failure } from '../kernel/index.ts';
import { type Oid, printObject, type SummaryObject } from '../soif/index.ts';
import type { Broker } from './broker.ts';
import { checkRoutes } from './check-routes.ts';
import { statisticsFrom } from './collection-statistics.ts';
import { brokerErrors } from './errors.ts';
import type { SearchParameters } from './query-manager.ts';
import { queryOptionParameters, queryOptions } from './query-option-parameters.ts';
import { rankingRoutes } from './ranking-routes.ts';
import { viewRoutes } from './views/index.ts';

const maxLimit = 100;

/** Views that the status names. */
const shownViews = 20;
const maxOffset = 1_000_000;
const maxFilters = 64;

function integer(request: RouteRequest, name: string, fallback: number, max: number): number {
  const text = request.query[name];
  if (text === undefined || text === '') return fallback;
  if (!/^\d{1,9}$/.test(text) || Number(text) > max)
    throw failure(brokerErrors.BROKER_QUERY, {
      field: name,
      reason: `must be a whole number from 0 to ${max}`,
    });
  return Number(text);
}

function filters(request: RouteRequest, name: string): readonly string[] {
  const values = (request.queries[name] ?? []).filter((value) => value !== '');
  if (values.length > maxFilters)
    throw failure(brokerErrors.BROKER_QUERY, {
      field: name,
      reason: `may be given at most ${maxFilters} times`,
    });
  return values;
}

function searchParameters(request: RouteRequest): SearchParameters {
  const q = request.query.q;
  if (q === undefined) throw failure(brokerErrors.BROKER_QUERY, { field: 'q', reason: 'is missing' });
  return {
    q,
    limit: integer(request, 'limit', 10, maxLimit),
    offset: integer(request, 'offset', 0, maxOffset),
    sources: filters(request, 'source'),
    types: filters(request, 'type'),
    widen: request.query.widen !== 'no',
    options: queryOptions(request),
    ...sharedStatistics(request),
  };
}

function sharedStatistics({ query: { statistics } }: RouteRequest): Pick<SearchParameters, 'statistics'> {
  if (statistics === undefined || statistics === '') return {};
  const read = statisticsFrom(statistics);
  if (read === undefined)
    throw failure(brokerErrors.BROKER_QUERY, {
      field: 'statistics',
      reason: 'must be what /statistics gives as text, or a sum of such',
    });
  return { statistics: read };
}

const decoder = new TextDecoder();

/** A summary object as JSON: values as text, those that are not UTF-8 as base64. */
export function objectJson(object: SummaryObject, oid: string): Readonly<Record<string, unknown>> {
  return {
    oid,
    templateType: object.templateType,
    url: object.url,
    attributes: object.attributes.map(({ name, value }) => {
      const text = decoder.decode(value);
      return text.includes('\uFFFD')
        ? { name, base64: Buffer.from(value).toString('base64') }
        : { name, value: text };
    }),
  };
}

async function objectAnswer(broker: Broker, request: RouteRequest): Promise<RouteResponse> {
  const oid = request.params.oid ?? '';
  const object = await broker.object(oid);
  const accept = request.headers.accept ?? '';
  if (/\bapplication\/json\b/.test(accept)) {
    const origin = (await broker.origin(oid as Oid, object)) ?? null;
    return { json: { ...objectJson(object, oid), origin }, headers: { vary: 'accept' } };
  }
  return {
    body: printObject(object),
    headers: { 'content-type': 'text/plain; charset=utf-8', vary: 'accept' },
  };
}

/** The Broker as JSON, the same for `/status`, the page and `garner broker status`. */
export async function brokerStatus(broker: Broker): Promise<Record<string, unknown>> {
  const { collector, engine, folder } = broker;
  const former = broker.formerSources().map(({ serverId, url, name, lastLearnedAt }) => ({
    ...{ serverId, url, name, lastLearnedAt, state: 'down' as const },
    error: collector.isStarted ? 'no longer asked' : null,
    ...{ lastRound: null, lastChange: null, filter: null, rounds: [] },
  }));
  const sources = await Promise.all(
    [...collector.status, ...former].map(async ({ serverId, url, ...source }) => ({
      id: serverId ?? url,
      url,
      ...source,
      objects: serverId === null ? 0 : await broker.objectsOf(serverId),
      schemes: serverId === null ? [] : broker.measuresOf(serverId),
      passedOver: serverId === null ? { own: 0, far: 0 } : await broker.passedOver(serverId),
    })),
  );
  return {
    name: broker.name,
    serverId: folder.identity.serverId,
    objects: folder.store.count,
    summaryBytes: folder.store.bodyBytes,
    sources,
    examples: await broker.examples(),
    views: (await broker.views.list(shownViews)).map(({ name, objects }) => ({ name, objects })),
    engine: { name: engine.name, lsn: broker.indexer.lsn, objects: engine.count },
    rebuilding: broker.indexer.rebuilding ?? null,
    lsn: folder.store.lsn,
    startedAt: broker.startedAt,
  };
}

const query = (name: string, describe: string, required = false) =>
  ({ name, in: 'query', describe, required, schema: { type: 'string' } }) as const;
const number = (name: string, describe: string, maximum: number) =>
  ({ name, in: 'query', describe, schema: { type: 'integer', minimum: 0, maximum } }) as const;

/** What a Broker answers over HTTP. */
export function brokerRoutes(broker: Broker): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/search',
      summary: 'Search',
      scope: 'public',
      parameters: [
        query('q', 'Words, "phrases", AND, OR, NOT, parentheses, Attribute: value', true),
        number('limit', 'Hits to return', maxLimit),
        number('offset', 'Hits to pass over', maxOffset),
        query('source', 'Only objects of this source; may be repeated'),
        query('type', 'Only objects of this type; may be repeated'),
        ...queryOptionParameters,
        query('widen', 'no: only objects with every word, even if there are none'),
        query(
          'statistics',
          'Rank by these statistics, as /statistics gives them as text, of several Brokers together',
        ),
      ],
      response: {
        type: 'object',
        required: ['total', 'hits'],
        properties: {
          total: { type: 'integer' },
          hits: {
            type: 'array',
            items: {
              type: 'object',
              required: ['oid', 'url', 'title', 'snippet', 'score', 'source', 'updatedAt'],
              properties: {
                oid: { type: 'string' },
                url: { type: 'string' },
                title: { type: 'string' },
                snippet: { type: 'string' },
                score: { type: 'number' },
                source: { type: 'string' },
                updatedAt: { type: 'integer', description: 'seconds since 1970' },
              },
            },
          },
        },
      },
      handle: (request) => broker.answers.response(searchParameters(request)),
    },
    ...rankingRoutes(broker),
    {
      method: 'GET',
      path: '/complete',
      summary: 'Words that begin like this',
      scope: 'public',
      parameters: [query('q', 'The beginning of a word', true)],
      handle: async (request) => ({
        json: { words: await broker.engine.complete((request.query.q ?? '').slice(0, 64).toLowerCase(), 8) },
      }),
    },
    {
      method: 'GET',
      path: '/objects/:oid',
      summary: 'A summary object with its origin, as JSON or as SOIF text by Accept',
      scope: 'public',
      parameters: [
        {
          name: 'oid',
          in: 'path',
          describe: 'Object identifier',
          required: true,
          schema: { type: 'string' },
        },
      ],
      handle: (request) => objectAnswer(broker, request),
    },
    {
      method: 'GET',
      path: '/status',
      summary: 'What this Broker knows and how fresh it is',
      scope: 'public',
      handle: async () => ({ json: await brokerStatus(broker) }),
    },
    {
      method: 'GET',
      path: '/control/awareness',
      summary: 'What each scheme of awareness is predicted to take with a source, and what it took',
      scope: 'admin',
      hidden: true,
      handle: async ({ query: { source = '', measure, all }, signal }) => ({
        json: await broker.explain(source, { measure: measure === '1', all: all === '1', signal }),
      }),
    },
    ...viewRoutes(broker.views, broker.webhooks),
    ...checkRoutes(broker),
  ];
}
