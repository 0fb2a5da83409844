import { type Route, type RouteRequest, type RouteResponse, schemas } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { type Oid, printObject, type SummaryObject } from '../../soif/index.ts';
import { centroidRoute } from '../centroid/index.ts';
import { brokerErrors } from '../errors.ts';
import {
  choiceParameter,
  pathParameter,
  tableParameterTable,
  tableQuestion,
  textParameter,
} from '../requests/index.ts';
import { statisticsText } from '../searching/index.ts';
import { type Broker, firstCollecting } from '../service/index.ts';
import { viewRoutes } from '../views/index.ts';
import {
  linkAnswer,
  objectAnswer,
  rankAnswer,
  statisticsAnswer,
  statusAnswer,
  tableAnswer,
} from './answer-schemas.ts';
import { searchRoutes } from './search-routes.ts';

function required(request: RouteRequest, name: string): string {
  const value = request.query[name];
  if (value === undefined) throw failure(brokerErrors.BROKER_QUERY, { field: name, reason: 'is missing' });
  return value;
}

const requiredText = (name: string, describe: string) => ({
  ...textParameter(name, describe),
  required: true,
});

function rankingRoutes({ queries }: Pick<Broker, 'queries'>): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/why',
      summary: "How an object's score for a query is made up",
      scope: 'public',
      parameters: [requiredText('q', 'The query'), requiredText('oid', 'Object identifier')],
      response: rankAnswer,
      handle: async (request) => ({
        json: await queries.explain(required(request, 'q'), required(request, 'oid'), request.signal),
      }),
    },
    {
      method: 'GET',
      path: '/statistics',
      summary:
        'How often the terms of a query occur here. Summed over several Brokers and sent to each as `statistics` of a search, they make scores comparable',
      scope: 'public',
      parameters: [requiredText('q', 'The query')],
      response: statisticsAnswer,
      handle: async (request) => {
        const statistics = await queries.statistics(required(request, 'q'));
        return { json: { ...statistics, text: statisticsText(statistics) } };
      },
    },
  ];
}

/** Max views listed in the status. */
const shownViews = 20;

const decoder = new TextDecoder();

/** A summary object as JSON: values as text, or as base64 when they are not UTF-8. */
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

const soifParameter = {
  ...textParameter('format', '`soif` for the text of the summary, whatever Accept is'),
  schema: { type: 'string', enum: ['soif'] },
} as const;

async function answerWithObject(broker: Broker, request: RouteRequest): Promise<RouteResponse> {
  const oid = request.params.oid ?? '';
  const object = await broker.object(oid);
  const accept = request.headers.accept ?? '';
  if (request.query.format !== 'soif' && /\bapplication\/json\b/.test(accept)) {
    const origin = (await broker.origin(oid as Oid, object)) ?? null;
    return { json: { ...objectJson(object, oid), origin }, headers: { vary: 'accept' } };
  }
  return {
    body: printObject(object),
    headers: { 'content-type': 'text/plain; charset=utf-8', vary: 'accept' },
  };
}

/** The number of objects that count for each source: those that it offered first. */
async function countedFor({ answers }: Broker): Promise<ReadonlyMap<string, number>> {
  const { facets } = await answers.search({ q: '*', limit: 0, offset: 0, sources: [], types: [] });
  return new Map(facets.source.map(({ value, count }) => [value, count]));
}

/** The Broker as JSON, the same for `/status`, the page and `garner broker status`. */
export async function brokerStatus(broker: Broker): Promise<Record<string, unknown>> {
  const { collector, engine, folder } = broker;
  // Objects that a Broker passes on count for the Gatherer that they also come from.
  const counted = collector.status.some(({ role }) => role === 'broker')
    ? await countedFor(broker)
    : undefined;
  const former = broker.formerSources().map(({ serverId, url, name, lastLearnedAt }) => ({
    ...{ serverId, url, name, lastLearnedAt, state: 'down' as const },
    error: collector.isStarted ? 'no longer collected from' : null,
    role: null,
    ...{ lastRound: null, lastChange: null, filter: null, rounds: [] },
  }));
  const sources = await Promise.all(
    [...collector.status, ...former].map(async ({ serverId, url, ...source }) => ({
      id: serverId ?? url,
      url,
      ...source,
      objects: serverId === null ? 0 : await broker.objectsOf(serverId),
      schemes: serverId === null ? [] : broker.measuresOf(serverId),
      ...(source.role === 'broker' && { counted: counted?.get(serverId ?? '') ?? 0 }),
      passedOver: serverId === null ? { own: 0, far: 0 } : await broker.passedOver(serverId),
    })),
  );
  return {
    name: broker.name,
    serverId: folder.identity.serverId,
    objects: folder.store.count,
    summaryBytes: folder.store.bodyBytes,
    withdrawals: folder.store.withdrawals,
    sources,
    examples: await broker.examples(),
    views: (await broker.views.list(shownViews)).map(({ name, objects }) => ({ name, objects })),
    engine: {
      ...{ name: engine.name, lsn: broker.indexer.lsn, objects: engine.count },
      languages: Object.fromEntries([...engine.languages].sort((a, b) => b[1] - a[1])),
    },
    duplicateUrls: broker.duplicateUrls,
    rebuilding: broker.indexer.rebuilding ?? null,
    collecting: firstCollecting(collector, engine) ?? null,
    lsn: folder.store.lsn,
    startedAt: broker.startedAt,
  };
}

const oidParameter = pathParameter('oid', 'Object identifier');

export function brokerRoutes(broker: Broker): readonly Route[] {
  return [
    ...searchRoutes(broker),
    ...rankingRoutes(broker),
    {
      method: 'GET',
      path: '/complete',
      summary: 'Words that begin with a prefix',
      scope: 'public',
      parameters: [
        requiredText(
          'q',
          'The beginning of a word; with format=suggestions a query, whose last word is completed',
        ),
        choiceParameter('format', 'An object, or a list as OpenSearch suggestions are', [
          'json',
          'suggestions',
        ]),
      ],
      response: schemas.object({ words: schemas.list(schemas.text) }),
      media: {
        'application/x-suggestions+json': {
          type: 'array',
          prefixItems: [schemas.text, schemas.list(schemas.text)],
          minItems: 2,
        },
      },
      handle: async ({ query: { q = '', format } }) => {
        const isList = format === 'suggestions';
        const [, before = '', last = ''] = isList ? (/^(.*\s)?(\S*)$/s.exec(q) ?? []) : ['', '', q];
        const words = await broker.engine.complete(last.slice(0, 64).toLowerCase(), 8);
        if (!isList) return { json: { words } };
        const headers = { 'content-type': 'application/x-suggestions+json; charset=utf-8' };
        return { json: [q, words.map((word) => before + word)], headers };
      },
    },
    {
      method: 'GET',
      path: '/objects/:oid',
      summary: 'A summary object with its origin, as JSON or as SOIF text by Accept',
      scope: 'public',
      parameters: [oidParameter, soifParameter],
      response: objectAnswer,
      media: { 'text/plain': { type: 'string' } },
      handle: (request) => answerWithObject(broker, request),
    },
    {
      method: 'GET',
      path: '/objects/:oid/table',
      summary: "Rows of an object's document, where it is delimited text or an SQLite database",
      scope: 'public',
      parameters: [oidParameter, ...tableParameterTable],
      response: tableAnswer,
      handle: async (request) => ({
        json: await broker.table(request.params.oid ?? '', tableQuestion(request)),
      }),
    },
    {
      method: 'POST',
      path: '/objects/:oid/check',
      summary: "Check whether a summary object's link still works; the Broker sends few such requests",
      scope: 'public',
      takesNoBody: true,
      parameters: [oidParameter],
      response: linkAnswer,
      handle: async ({ params }) => ({ json: await broker.checkLink(params.oid ?? '') }),
    },
    {
      method: 'GET',
      path: '/control/searches',
      summary: 'Counted searches, most frequent first; no-hits=1: those that found nothing',
      scope: 'admin',
      hidden: true,
      handle: async ({ query: { limit = '', 'no-hits': noHits } }) => ({
        json: broker.searches(noHits === '1', /^\d{1,5}$/.test(limit) ? Number(limit) : 50),
      }),
    },
    {
      method: 'GET',
      path: '/status',
      summary: 'Sources, objects and freshness of this Broker',
      scope: 'public',
      response: statusAnswer,
      handle: async () => ({ json: await brokerStatus(broker) }),
    },
    {
      method: 'GET',
      path: '/control/awareness',
      summary: 'The predicted and measured cost of each scheme of awareness with a source',
      scope: 'admin',
      hidden: true,
      handle: async ({ query: { source = '', measure, all }, signal }) => ({
        json: await broker.explain(source, { measure: measure === '1', all: all === '1', signal }),
      }),
    },
    centroidRoute({
      store: broker.folder.store,
      server: broker.folder.identity.serverId,
      clock: broker.clock,
    }),
    ...viewRoutes(broker.views, broker.webhooks),
    ...checkRoutes(broker),
  ];
}

function checkRoutes(broker: Broker): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/control/check',
      summary: 'Check the data against itself; repair=1 mends it',
      scope: 'admin',
      hidden: true,
      handle: async ({ query: { repair }, signal }) => ({
        json: await broker.check({ repair: repair === '1', signal }),
      }),
    },
    {
      method: 'POST',
      path: '/control/duplicates',
      summary: 'URLs under several Gatherers; delete=1 removes all but the newest summary of each',
      scope: 'admin',
      hidden: true,
      handle: async ({ query, signal }) => ({
        json: await broker.duplicates({ isDryRun: query.delete !== '1', signal }),
      }),
    },
  ];
}
