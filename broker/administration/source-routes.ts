import type { FilterSpec, RoundReport } from '../../exchange/index.ts';
import { type Route, schemas } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { withoutSecrets } from '../collecting/index.ts';
import { brokerErrors } from '../errors.ts';
import {
  bodySchema,
  count,
  flag,
  JsonBody,
  pathParameter,
  text,
  textParameter,
  unkept,
} from '../requests/index.ts';
import type { Broker } from '../service/index.ts';
import type { Administration } from './administration.ts';

const source = pathParameter('source', 'Its address, name or server id');

const filterSchema = {
  type: 'object',
  properties: { query: text, age: { type: 'object', properties: { attribute: text, seconds: count } } },
};

const { choice, list, number, object, orNull, time } = schemas;

const listedSource = object({
  ...{ url: text, id: orNull(text), name: text, state: text, error: orNull(text) },
  ...{ kind: choice('settings', 'added', 'former'), from: text, paused: flag },
  ...{ intervalSeconds: orNull(number), filter: orNull(filterSchema), objects: count },
  lastLearnedAt: orNull(time),
});

const rounds = list(
  object({
    ...{ source: text, schemes: list(text), learned: count, refreshed: count, forgotten: count },
    ...{ rounds: count, lsn: count, bytesUp: count, bytesDown: count, ms: number },
  }),
);

function filterIn(body: JsonBody): FilterSpec | undefined {
  const value = body.value('filter');
  if (value === undefined || value === null) return undefined;
  const bad = failure(brokerErrors.BROKER_BODY, { problem: 'filter is {"query"} or {"age"}, or both' });
  if (typeof value !== 'object') throw bad;
  const { query, age } = value as Record<string, unknown>;
  if (query !== undefined && (typeof query !== 'string' || query.trim() === '')) throw bad;
  if (age === undefined) return query === undefined ? {} : { query };
  if (typeof age !== 'object' || age === null) throw bad;
  const { attribute, seconds } = age as Record<string, unknown>;
  const isAge = typeof attribute === 'string' && /^[\w.-]{1,64}$/.test(attribute);
  if (!isAge || !Number.isSafeInteger(seconds) || Number(seconds) <= 0) throw bad;
  return { ...(query !== undefined && { query }), age: { attribute, seconds: Number(seconds) } };
}

/** Run rounds. When this returns, their objects are searchable. */
async function collected(broker: Broker, from: string | undefined, scheme: string | undefined) {
  const url = from === undefined ? undefined : broker.collector.find(from).url;
  const rounds = await broker.collector.collectNow(url, scheme);
  await broker.indexer.reached(broker.folder.store.lsn);
  return rounds;
}

const learned = (rounds: readonly RoundReport[]) =>
  `${rounds.length} rounds, ${rounds.reduce((sum, round) => sum + round.learned, 0)} learned`;

/** The sources of a Broker: list, add, change, remove, collect now. */
export function sourceRoutes(administration: Administration): readonly Route[] {
  const { sources, broker } = administration;
  const listed = async (url: string) => (await sources.list()).find((one) => one.url === url);
  return [
    {
      method: 'GET',
      path: '/control/sources',
      summary: 'Every source with its state and its origin',
      scope: 'admin',
      response: object({ sources: list(listedSource) }),
      handle: async () => ({ json: { sources: await sources.list() }, headers: unkept }),
    },
    {
      method: 'POST',
      path: '/control/sources',
      summary: 'Add a source',
      scope: 'admin',
      request: bodySchema(
        { source: text, intervalSeconds: count, filter: filterSchema, paused: flag, token: text },
        'source',
      ),
      status: 201,
      response: listedSource,
      handle: async (request) => {
        const body = new JsonBody(request, ['source', 'intervalSeconds', 'filter', 'paused', 'token']);
        const added = body.required('source');
        const intervalSeconds = body.number('intervalSeconds');
        const isPaused = body.flag('paused');
        const [filter, token] = [filterIn(body), body.text('token', 512)];
        const url = await administration.act(request, ['source add', withoutSecrets(added)], (who) =>
          sources.add(
            {
              source: added,
              ...(typeof intervalSeconds === 'number' && { intervalSeconds }),
              ...(filter !== undefined && { filter }),
              ...(isPaused !== undefined && { isPaused }),
              ...(token !== undefined && { token }),
            },
            who,
          ),
        );
        return { status: 201, json: await listed(url) };
      },
    },
    {
      method: 'PUT',
      path: '/control/sources/:source',
      summary: "Pause or resume a source, or set the time between its rounds (null for the Broker's own)",
      scope: 'admin',
      parameters: [source],
      request: bodySchema({ paused: flag, intervalSeconds: { type: ['integer', 'null'] } }),
      response: listedSource,
      handle: async (request) => {
        const body = new JsonBody(request, ['paused', 'intervalSeconds']);
        const [isPaused, intervalSeconds] = [body.flag('paused'), body.number('intervalSeconds')];
        const named = request.params.source ?? '';
        const action = isPaused === undefined ? 'source set' : isPaused ? 'source pause' : 'source resume';
        const detail =
          intervalSeconds === undefined
            ? named
            : `${named}, interval ${intervalSeconds ?? 'as the Broker'} s`;
        const url = await administration.act(request, [action, detail], (who) =>
          sources.change(
            named,
            {
              ...(isPaused !== undefined && { isPaused }),
              ...(intervalSeconds !== undefined && { intervalSeconds }),
            },
            who,
          ),
        );
        return { json: await listed(url) };
      },
    },
    {
      method: 'DELETE',
      path: '/control/sources/:source',
      summary: 'Remove a source; its objects stay until they expire, or are removed now with forget=1',
      scope: 'admin',
      parameters: [source, textParameter('forget', '1 to remove now the objects that only it offered')],
      response: object({ removed: text, forgotten: flag }),
      handle: async (request) => {
        const named = request.params.source ?? '';
        const forget = request.query.forget === '1';
        const detail = `${named}${forget ? ', and its objects' : ''}`;
        const url = await administration.act(request, ['source remove', detail], () =>
          sources.remove(named, { forget }),
        );
        return { json: { removed: url, forgotten: forget } };
      },
    },
    {
      method: 'POST',
      path: '/control/collect',
      summary: 'Run a round with every source, or with one, now',
      scope: 'admin',
      parameters: [
        textParameter('source', 'Only with this source: its address, name or server id'),
        textParameter('scheme', 'By this scheme of awareness instead of the one that the source chooses'),
      ],
      response: object({ rounds }),
      handle: async (request) => {
        const { source: named, scheme } = request.query;
        const rounds = await administration.act(
          request,
          ['source collect', named ?? 'every source'],
          () => collected(broker, named, scheme || undefined),
          learned,
        );
        return { json: { rounds } };
      },
    },
  ];
}
