import { type Route, type RouteRequest, type RouteResponse, schemas } from '../../http/index.ts';
import { isOid, type Oid } from '../../soif/index.ts';
import { bodySchema, countParameter, limitOf, textParameter } from '../requests/index.ts';
import { nextChanges } from './change-batch.ts';
import { atomFeed, feedEntries } from './feed.ts';
import { type ViewChange, viewChange } from './view-changes.ts';
import { definitionIn, placeIn, placeText, viewName } from './view-requests.ts';
import type { Views } from './views.ts';
import { webhookRoutes } from './webhook-routes.ts';
import type { Webhooks } from './webhooks.ts';

const maxListed = 1000;
const feedSuffix = '.atom';

const limit = countParameter('limit', 'How many to return', maxListed);

const { choice, count, flag, list, number, object, orNull, text, time } = schemas;

const viewStatus = object({
  ...{ name: text, query: text, over: orNull(text), description: orNull(text), understood: text },
  objects: { ...orNull(count), description: 'null while they are counted' },
  ...{ epoch: text, lsn: count, filled: flag, createdAt: time },
});

const shownObject = {
  ...{ oid: text, lsn: count, url: text, title: text, description: text, type: text },
  ...{ updatedAt: time, modifiedAt: number },
};
const unknownOf = ['description', 'type', 'modifiedAt'];

const viewChanges = object({
  ...{ view: text, complete: flag, full: flag },
  changes: list(
    object(
      { kind: choice('insert', 'change', 'delete'), time, ...shownObject },
      ...[...unknownOf, 'url', 'title', 'updatedAt'],
    ),
  ),
  ...{ since: text, more: flag },
});

/** The changes of a view since a place in its log, with the next place; everything without a place. */
async function changesOf(views: Views, request: RouteRequest): Promise<RouteResponse> {
  const place = placeIn(request);
  const max = limitOf(request);
  await using snapshot = await views.source(request.params.name ?? '').snapshot();
  const batch = await nextChanges(snapshot, place, max);
  const { changes, isComplete: complete, isFull: full, more } = batch;
  const since = placeText(batch.place);
  return { json: { view: request.params.name, complete, full, changes, since, more } };
}

async function objectsOf(views: Views, request: RouteRequest): Promise<RouteResponse> {
  const { after = '' } = request.query;
  const max = limitOf(request);
  await using snapshot = await views.source(request.params.name ?? '').snapshot();
  const objects: unknown[] = [];
  let last: Oid | undefined;
  for await (const { oid, lsn } of snapshot.scan(isOid(after) ? after : undefined)) {
    if (objects.length === max) return { json: { objects, next: last } };
    const object = await snapshot.get(oid);
    last = oid;
    if (object === undefined) continue;
    const { kind: _, time: __, ...shown } = viewChange({ kind: 'insert', oid, lsn, time: 0, object });
    objects.push(shown);
  }
  return { json: { objects, next: null } };
}

async function feedOf(views: Views, view: string): Promise<RouteResponse> {
  const status = await views.status(view);
  await using snapshot = await views.source(view).snapshot();
  const changes: ViewChange[] = [];
  for await (const event of snapshot.events({ known: 0, newestFirst: true })) {
    changes.push(viewChange(event));
    if (changes.length === feedEntries) break;
  }
  return {
    body: atomFeed(status, changes),
    headers: { 'content-type': 'application/atom+xml; charset=utf-8' },
  };
}

/** The HTTP routes of views. Defining and removing them needs a token. */
export function viewRoutes(views: Views, webhooks: Webhooks): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/views',
      summary: 'The views of this Broker, in the order of their names',
      scope: 'public',
      parameters: [limit, textParameter('after', 'Name after which to begin: `next` of the last answer')],
      response: object({ views: list(viewStatus), total: count, next: orNull(text) }),
      handle: async (request) => {
        const max = limitOf(request);
        const listed = await views.list(max, request.query.after);
        const next = listed.length === max ? (listed.at(-1)?.name ?? null) : null;
        return { json: { views: listed, total: views.size, next } };
      },
    },
    {
      method: 'GET',
      path: '/views/:name',
      summary: 'A view; with .atom after its name, its last changes as a feed',
      scope: 'public',
      parameters: [viewName],
      response: viewStatus,
      media: { 'application/atom+xml': { type: 'string', description: 'with .atom after the name' } },
      handle: async ({ params: { name: given = '' } }) =>
        given.endsWith(feedSuffix)
          ? feedOf(views, given.slice(0, -feedSuffix.length))
          : { json: await views.status(given) },
    },
    {
      method: 'GET',
      path: '/views/:name/objects',
      summary: 'The objects of a view',
      scope: 'public',
      parameters: [
        viewName,
        limit,
        textParameter('after', 'OID after which to begin: `next` of the last answer'),
      ],
      response: object({ objects: list(object(shownObject, ...unknownOf)), next: orNull(text) }),
      handle: (request) => objectsOf(views, request),
    },
    {
      method: 'GET',
      path: '/views/:name/changes',
      summary: 'Objects that entered a view, changed in it or left it',
      scope: 'public',
      parameters: [
        viewName,
        limit,
        textParameter(
          'since',
          '`since` of the last answer; `complete` is false where everything is returned instead',
        ),
      ],
      response: viewChanges,
      handle: (request) => changesOf(views, request),
    },
    {
      method: 'PUT',
      path: '/views/:name',
      summary: 'Define a view by {"query", "over", "description"}',
      scope: 'admin',
      parameters: [viewName],
      request: bodySchema({ query: text, over: text, description: text }, 'query'),
      response: viewStatus,
      handle: async (request) => {
        const definition = definitionIn(request);
        await views.add([definition]);
        return { json: await views.status(definition.name) };
      },
    },
    {
      method: 'DELETE',
      path: '/views/:name',
      summary: 'Remove a view',
      scope: 'admin',
      parameters: [viewName],
      response: object({ removed: text }),
      handle: async ({ params: { name: removed = '' } }) => {
        await views.remove(removed);
        // A crash here leaves webhooks that are removed at the next start.
        await webhooks.removeOf(removed);
        return { json: { removed } };
      },
    },
    ...webhookRoutes(views, webhooks),
  ];
}
