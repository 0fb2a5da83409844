import type { Route, RouteRequest } from '../../http/index.ts';
import type { Administration } from './administration.ts';

type Named = (request: Pick<RouteRequest, 'params' | 'query'>) => readonly [action: string, detail: string];

const ofView =
  (action: string): Named =>
  ({ params: { name = '', id = '' } }) => [action, `${name} ${id}`.trim()];

/** Action and detail for the audit, by route. Webhook addresses may hold secrets, so they are left out. */
const actions: Readonly<Record<string, Named>> = {
  'PUT /views/:name': ofView('view add'),
  'DELETE /views/:name': ofView('view remove'),
  'POST /views/:name/webhooks': ofView('webhook add'),
  'POST /views/:name/webhooks/:id/resume': ofView('webhook resume'),
  'DELETE /views/:name/webhooks/:id': ofView('webhook remove'),
  'POST /control/check': ({ query }) => [query.repair === '1' ? 'check, repair' : 'check', ''],
  'POST /control/duplicates': ({ query }) => [query.delete === '1' ? 'duplicates, delete' : 'duplicates', ''],
};

/** The same routes. Requests that change the Broker and need a token are audited. */
export function auditedRoutes(administration: Administration, routes: readonly Route[]): readonly Route[] {
  return routes.map((route) => {
    const isChanging = route.method !== 'GET' && (route.scope === 'write' || route.scope === 'admin');
    if (!isChanging) return route;
    const name = `${route.method} ${route.path}`;
    const named = actions[name] ?? (() => [name, ''] as const);
    return {
      ...route,
      handle: (request) => administration.act(request, named(request), async () => route.handle(request)),
    };
  });
}
