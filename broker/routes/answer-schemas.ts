import { type JsonSchema, schemas } from '../../http/index.ts';
import { termStatistics } from '../requests/index.ts';

const { any, choice, count, flag, list, map, number, object, orNull, text, time } = schemas;

const termScore = object(
  {
    ...termStatistics,
    ...{ weight: number, inverseFrequency: number, impact: number, score: number, group: map(any) },
  },
  'group',
);

/** `/why`: how a score is made up. */
export const rankAnswer: JsonSchema = object(
  {
    ...{ oid: text, url: text, understood: text, relaxed: flag, engine: text },
    rank: { ...count, description: 'absent where the object does not match' },
    ...{ total: count, score: number, terms: list(termScore), nearness: number },
    ...{ feedback: list(termScore), likeness: number },
    signals: orNull(
      object({ modifiedAt: orNull(number), freshness: number, linkingHosts: count, popularity: number }),
    ),
    typed: orNull(object({ place: text, score: number })),
  },
  'rank',
);

/** `/statistics`: how often the terms of a query occur. */
export const statisticsAnswer: JsonSchema = object({
  objects: count,
  terms: list(object(termStatistics)),
  text: { ...text, description: 'for the parameter statistics of a search' },
});

const server = object({ serverId: text, name: orNull(text) });

/** `/objects/:oid`: a summary. */
export const objectAnswer: JsonSchema = object({
  ...{ oid: text, templateType: text, url: text },
  attributes: list(
    object(
      {
        name: text,
        value: text,
        base64: { ...text, description: 'in the place of value, where it is not text' },
      },
      'value',
      'base64',
    ),
  ),
  origin: orNull(object({ publisher: server, path: list(server), sources: list(server) })),
});

/** `/objects/:oid/table`: rows of a document. */
export const tableAnswer: JsonSchema = object({
  ...{ url: text, tables: list(text), table: text },
  columns: list(object({ name: text, numeric: flag })),
  ...{ rows: list(list(text)), total: count, of: count, whole: flag },
  points: list(object({ label: text, value: number })),
});

/** `/objects/:oid/check`: whether a link works. */
export const linkAnswer: JsonSchema = object({
  state: choice('alive', 'suspect', 'gone', 'unknown'),
  status: { ...orNull(count), description: 'of HTTP; null without an answer' },
});

const bytes = { bytesUp: count, bytesDown: count };
const changes = { schemes: list(text), learned: count, refreshed: count, forgotten: count, ms: number };
const round = object({ source: text, ...changes, ...bytes, rounds: count, lsn: count });

const source = object(
  {
    ...{ id: text, url: text, name: text, role: orNull(text) },
    state: choice('ok', 'full', 'no room', 'connecting', 'waiting', 'down', 'paused'),
    ...{ lastLearnedAt: orNull(time), error: orNull(text), filter: orNull(map(any)) },
    ...{ lastRound: orNull(round), lastChange: orNull(round) },
    rounds: list(object({ at: time, ...changes, ...bytes })),
    ...{ intervalSeconds: number, from: orNull(text), objects: count, counted: count },
    schemes: list(
      object({
        scheme: text,
        at: time,
        ms: number,
        ...bytes,
        predicted: object({ bytesUp: number, bytesDown: number }),
      }),
    ),
    passedOver: object({ own: count, far: count }),
  },
  ...['intervalSeconds', 'from', 'counted'],
);

/** `/status` of a Broker. */
export const statusAnswer: JsonSchema = object({
  ...{ name: text, serverId: text, objects: count, summaryBytes: count, withdrawals: count },
  ...{ sources: list(source), examples: list(text) },
  views: list(object({ name: text, objects: orNull(count) })),
  engine: object({ name: text, lsn: count, objects: count, languages: map(count) }),
  duplicateUrls: count,
  rebuilding: orNull(object({ indexed: count, objects: count })),
  collecting: orNull(object({ objects: count, sources: list(text) })),
  ...{ lsn: count, startedAt: time },
});
