import { pushSource } from '../../exchange/index.ts';
import { type Route, type SitePage, schemas } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { isOid, printObject } from '../../soif/index.ts';
import { annotationRoutes } from '../annotate/index.ts';
import { gathererErrors } from '../errors.ts';
import type { RunReport } from '../events.ts';
import type { ClassicStream } from '../publish/index.ts';
import type { Gatherer } from '../run/index.ts';
import { annotationControlRoutes, urlParameter } from './annotation-control.ts';
import { gathererPageRoute } from './gatherer-page.ts';
import type { PushLinkStatus } from './push-links.ts';

export interface GathererServing {
  readonly gatherer: Gatherer;
  readonly stream: ClassicStream;
  readonly roots: readonly string[];
  /** Absent without automatic runs. */
  readonly lastRun?: () => RunReport | undefined;
  /** Changed files that are not gathered yet. */
  readonly waitingChanges?: () => number;
  readonly runNow?: () => Promise<RunReport>;
  /** Status of the Brokers that are pushed to; absent when nothing pushes. */
  readonly pushes?: () => readonly PushLinkStatus[];
  /** Tokens that may annotate through the form; when absent, the form cannot save. */
  readonly adminTokens?: readonly string[];
  /** What holds every summary needs a token, as the wire does. */
  readonly isGuarded?: boolean;
  /** The pages of this server, for their navigation. */
  readonly pages?: readonly SitePage[];
}

/** Status of a Gatherer. */
export interface GathererStatus {
  readonly name: string;
  readonly serverId: string;
  readonly roots: readonly string[];
  readonly objects: number;
  readonly summaryBytes: number;
  readonly epoch: string;
  readonly lsn: number;
  readonly lastRun: RunReport | null;
  /** Changed files of watched folders that are not gathered yet. */
  readonly waitingChanges: number;
  /** Clients that have collected, with their LSN and last contact (seconds since 1970). */
  readonly clients: readonly { readonly name: string; readonly lsn: number; readonly at: number }[];
  /** The source in the configuration of a Broker that is pushed to: `push:ID.KEY`. */
  readonly pushSource: string;
  /** The Brokers that are pushed to, while it serves. */
  readonly pushes: readonly PushLinkStatus[];
}

const { choice, count, flag, list, map, number, object, orNull, text, time } = schemas;

const counts = map(count);
const reasons = (...names: readonly string[]) =>
  list(object({ url: text, reason: text, ...Object.fromEntries(names.map((name) => [name, text])) }));

const runReport = object({
  ...{ added: count, changed: count, refreshed: count, unchanged: count, deleted: count, failed: count },
  ...{ skipped: counts, firstSkipped: map(list(text)), dropped: counts, failures: reasons() },
  ...{ refused: count, refusals: reasons('code'), reduced: count, reductions: reasons() },
  ...{ goneCount: count, gone: reasons('from'), answers: counts },
  ...{ mapped: object({ local: count, network: counts }), waited: map(number), bytesRead: count },
  ...{ ms: number, objects: count, complete: flag },
});

const statusSchema = object({
  ...{ name: text, serverId: text, roots: list(text), objects: count, summaryBytes: count },
  ...{ epoch: text, lsn: count, lastRun: orNull(runReport), waitingChanges: count },
  clients: list(object({ name: text, lsn: count, at: time })),
  pushSource: text,
  pushes: list(
    object({
      ...{ url: text, name: orNull(text), state: choice('connecting', 'connected', 'down') },
      ...{ lsn: orNull(count), at: orNull(time), error: orNull(text), hint: orNull(text) },
    }),
  ),
});

/** The same for `/status` and for `garner gatherer status`. */
export async function gathererStatus(serving: GathererServing): Promise<GathererStatus> {
  const { gatherer, roots, lastRun, waitingChanges, pushes } = serving;
  const { folder, name } = gatherer.options;
  const state = await folder.store.state();
  const clients = [];
  for (const { name: client, marker, at } of folder.store.clients.list)
    clients.push({ name: client, lsn: marker.lsn, at });
  return {
    name,
    serverId: folder.identity.serverId,
    roots,
    objects: state.count,
    summaryBytes: folder.store.bodyBytes,
    epoch: state.epoch,
    lsn: state.lsn,
    lastRun: lastRun?.() ?? null,
    waitingChanges: waitingChanges?.() ?? 0,
    clients,
    pushSource: pushSource(folder.identity),
    pushes: pushes?.() ?? [],
  };
}

/** The HTTP routes of a Gatherer. */
export function gathererRoutes(serving: GathererServing): readonly Route[] {
  const { gatherer, stream } = serving;
  const { adminTokens = [], pages = [], isGuarded = false } = serving;
  const collecting = isGuarded ? 'collect' : 'public';
  const { folder, name } = gatherer.options;
  const routes: Route[] = [
    gathererPageRoute(() => ({
      ...{ name, objects: folder.store.count },
      canAnnotate: adminTokens.length > 0,
      pushes: serving.pushes?.() ?? [],
      pages,
    })),
    {
      method: 'GET',
      path: '/soif',
      summary: 'Every summary object, or the changes, as a SOIF stream',
      scope: collecting,
      media: { 'application/x-soif': { type: 'string' } },
      parameters: [
        {
          name: 'since',
          in: 'query',
          describe: 'EPOCH.LSN from x-garner-state of an earlier answer, or a time in seconds or ISO 8601',
          schema: { type: 'string' },
        },
      ],
      handle: (request) => stream.answer(request),
    },
    {
      method: 'GET',
      path: '/objects/:oid',
      summary: 'One summary object as SOIF text',
      scope: collecting,
      media: { 'text/plain': { type: 'string' } },
      parameters: [
        {
          name: 'oid',
          in: 'path',
          describe: 'Object identifier',
          required: true,
          schema: { type: 'string' },
        },
      ],
      handle: async ({ params }) => {
        const oid = params.oid ?? '';
        const summary = isOid(oid) ? await gatherer.summary(oid) : undefined;
        if (summary === undefined)
          throw failure(gathererErrors.GATHERER_UNKNOWN_URL, { url: oid.slice(0, 64) });
        return { body: printObject(summary), headers: { 'content-type': 'text/plain; charset=utf-8' } };
      },
    },
    {
      method: 'GET',
      path: '/status',
      summary: 'Objects, collecting clients and pushes of this Gatherer',
      scope: 'public',
      response: statusSchema,
      handle: async () => ({ json: await gathererStatus(serving) }),
    },
    {
      method: 'GET',
      path: '/control/show',
      summary: 'The summary object for a URL',
      scope: 'admin',
      hidden: true,
      parameters: [urlParameter],
      handle: async ({ query }) => ({
        body: printObject(await gatherer.show(query.url ?? '')),
        headers: { 'content-type': 'text/plain; charset=utf-8' },
      }),
    },
    {
      method: 'GET',
      path: '/control/why',
      summary: 'Why a URL is included or not',
      scope: 'admin',
      hidden: true,
      parameters: [urlParameter],
      handle: async ({ query, signal }) => ({ json: await gatherer.why(query.url ?? '', signal) }),
    },
    {
      method: 'POST',
      path: '/control/check',
      summary: 'Check the data against itself; repair=1 mends it',
      scope: 'admin',
      hidden: true,
      handle: async ({ query: { repair }, signal }) => ({
        json: await gatherer.check({ repair: repair === '1', signal }),
      }),
    },
    ...annotationRoutes({
      annotations: gatherer.annotations,
      clock: gatherer.options.clock,
      stored: (url) => gatherer.stored(url),
      adminTokens,
      pages,
    }),
    ...annotationControlRoutes(gatherer),
  ];
  const { runNow } = serving;
  if (runNow !== undefined) {
    routes.push({
      method: 'POST',
      path: '/control/run',
      summary: 'Gather now',
      scope: 'admin',
      hidden: true,
      handle: async () => ({ json: await runNow() }),
    });
  }
  return routes;
}
