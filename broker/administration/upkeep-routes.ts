import { type Route, schemas } from '../../http/index.ts';
import {
  bodySchema,
  countParameter,
  JsonBody,
  limitOf,
  pathParameter,
  text,
  textParameter,
  unkept,
} from '../requests/index.ts';
import type { Administration } from './administration.ts';
import { statisticsOf } from './statistics.ts';

const maxListed = 1000;

const { any, choice, count, list, map, number, object, orNull, time } = schemas;

const liveValue = { type: ['number', 'string', 'array'], items: text };
const liveSetting = object({
  ...{ key: text, kind: choice('duration', 'choice', 'list'), describe: text },
  ...{ value: liveValue, from: text, base: liveValue },
});

const counted = list(object({ value: text, count }));
const statistics = object({
  ...{ objects: count, summaryBytes: count, blocked: count, duplicateUrls: count },
  bySource: list(object({ id: text, name: text, count })),
  ...{ byType: counted, byLanguage: counted, sampled: count },
  byAge: list(object({ upTo: orNull(number), count })),
  index: object({ engine: text, objects: count, behind: count }),
  queries: object({ answered: count, withoutResult: count, meanMs: number, maxMs: number }),
});

const milliseconds = { ...time, description: 'milliseconds since 1970' };
const logLine = object({ at: milliseconds, level: text, event: text, data: map(any) });
const auditEntry = object({
  ...{ id: text, at: milliseconds, who: text, action: text, detail: text },
  ...{ outcome: choice('done', 'failed', 'refused', 'unfinished'), note: text },
});

/** Upkeep: settings, statistics, cleaning, compaction, a new index, the log and the audit. */
export function upkeepRoutes(administration: Administration): readonly Route[] {
  const { broker, audit, log, queries, counts } = administration;
  const { settings } = broker.orders;
  return [
    {
      method: 'GET',
      path: '/control/settings',
      summary: 'Settings that can be changed while the Broker serves, with the origin of each',
      scope: 'admin',
      response: object({ settings: list(liveSetting) }),
      handle: () => ({ json: { settings: settings.entries }, headers: unkept }),
    },
    {
      method: 'PUT',
      path: '/control/settings/:key',
      summary: 'Change one (a duration in seconds); null returns to the value of the settings',
      scope: 'admin',
      parameters: [pathParameter('key', 'Its name, such as broker.interval')],
      request: bodySchema({ value: { type: ['number', 'string', 'array', 'null'], items: text } }, 'value'),
      response: liveSetting,
      handle: async (request) => {
        const key = request.params.key ?? '';
        const value = new JsonBody(request, ['value']).value('value');
        const detail = `${key}: ${value === null ? 'as in the settings' : JSON.stringify(value)}`;
        return { json: await administration.act(request, ['set', detail], () => settings.set(key, value)) };
      },
    },
    {
      method: 'GET',
      path: '/control/statistics',
      summary: 'Objects by source, type, language and age, the index, and queries since the start',
      scope: 'admin',
      response: statistics,
      handle: async () => ({
        json: await statisticsOf(broker, { queries: queries.figures, counts }),
        headers: unkept,
      }),
    },
    {
      method: 'POST',
      path: '/control/clean',
      summary: 'Remove expired objects and old tombstones now',
      scope: 'admin',
      response: object({ expired: count }),
      handle: async (request) => {
        const expired = await administration.act(
          request,
          ['clean', ''],
          () => administration.alone('cleaning', () => broker.forgetExpired()),
          (count) => `${count} expired`,
        );
        return { json: { expired } };
      },
    },
    {
      method: 'POST',
      path: '/control/compact',
      summary: 'Let the databases rewrite their files without deleted entries',
      scope: 'admin',
      response: object({ databases: list(object({ name: text, bytesBefore: count, bytesAfter: count })) }),
      handle: async (request) => {
        const databases = await administration.act(
          request,
          ['compact', ''],
          () => administration.alone('compaction', () => broker.folder.compact()),
          (all) =>
            all
              .map(({ name, bytesBefore, bytesAfter }) => `${name} ${bytesBefore} to ${bytesAfter} B`)
              .join(', '),
        );
        return { json: { databases } };
      },
    },
    {
      method: 'POST',
      path: '/control/reindex',
      summary: 'Rebuild the index from the store; searches find the objects indexed so far',
      scope: 'admin',
      status: 202,
      response: object({ objects: count }),
      handle: async (request) => {
        await administration.act(request, ['reindex', ''], () =>
          broker.indexer.rebuild('requested by the operator'),
        );
        return { status: 202, json: { objects: broker.folder.store.count } };
      },
    },
    {
      method: 'GET',
      path: '/control/log',
      summary: 'The newest lines of the log, newest first',
      scope: 'admin',
      parameters: [
        countParameter('limit', 'How many', maxListed),
        textParameter('level', 'Of this level or a more severe one'),
        textParameter('event', 'Only of this event'),
      ],
      response: object({ lines: list(logLine) }),
      handle: (request) => {
        const { level, event } = request.query;
        const wanted = { limit: limitOf(request), ...(level && { level }), ...(event && { event }) };
        return { json: { lines: log.lines(wanted) }, headers: unkept };
      },
    },
    {
      method: 'GET',
      path: '/control/audit',
      summary: 'Administrative actions on this Broker: caller, time, action and outcome, newest first',
      scope: 'admin',
      parameters: [
        countParameter('limit', 'How many', maxListed),
        countParameter(
          'before',
          'Only those that began before this time; milliseconds since 1970',
          Number.MAX_SAFE_INTEGER,
        ),
      ],
      response: object({ entries: list(auditEntry) }),
      handle: async (request) => {
        const before = request.query.before ? Number(request.query.before) : undefined;
        return { json: { entries: await audit.list(limitOf(request), before) }, headers: unkept };
      },
    },
  ];
}
