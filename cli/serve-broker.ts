import { brokerRoutes, type SourceAddress } from '../broker/index.ts';
import type { Route, RouteRequest } from '../http/index.ts';
import { GarnerError } from '../kernel/index.ts';
import { searchPageRoutes, tablePageRoute, withStatusPage } from '../web/index.ts';
import type { EffectiveConfig } from './config.ts';
import { type Listening, listen } from './listen.ts';
import { type OpenedBroker, openBroker } from './open-broker.ts';

/** A Broker that listens and collects by itself. */
export interface ServedBroker extends AsyncDisposable {
  readonly opened: OpenedBroker;
  readonly listening: Listening;
}

/** The GET route of a path, with what stands in the path for `:name`. */
function routeAt(routes: readonly Route[], path: string) {
  const parts = path.split('/');
  for (const route of routes) {
    const wanted = route.path.split('/');
    if (route.method !== 'GET' || wanted.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const fits = wanted.every((part, at) => {
      if (!part.startsWith(':')) return part === parts[at];
      params[part.slice(1)] = decodeURIComponent(parts[at] ?? '');
      return true;
    });
    if (fits) return { route, params };
  }
  return undefined;
}

/** Ask one of an API's routes without a socket, as `GET path`. Throws what the route throws. */
export async function askRoutes(routes: readonly Route[], path: string): Promise<unknown> {
  const url = new URL(path, 'http://localhost');
  const found = routeAt(routes, url.pathname);
  if (found === undefined) throw new TypeError(`there is no route ${url.pathname}`);
  const { route, params } = found;
  const queries: Record<string, string[]> = {};
  for (const [name, value] of url.searchParams) queries[name] = [...(queries[name] ?? []), value];
  const request: RouteRequest = {
    method: 'GET',
    url: path,
    path: url.pathname,
    params,
    query: Object.fromEntries(Object.entries(queries).map(([name, values]) => [name, values[0] ?? ''])),
    queries,
    headers: { accept: 'application/json' },
    body: new Uint8Array(),
    signal: new AbortController().signal,
  };
  return (await route.handle(request)).json;
}

/** The API as the page asks it when it is drawn by the server. */
function inProcess(routes: readonly Route[]): (path: string) => Promise<{ status: number; json: unknown }> {
  return async (path) => {
    try {
      return { status: 200, json: await askRoutes(routes, path) };
    } catch (error) {
      if (!(error instanceof GarnerError)) throw error;
      const { code, message, hint, status } = error;
      return { status, json: { error: { code, message, hint } } };
    }
  };
}

/** Open a Broker and its port, and begin to collect. */
export async function serveBroker(
  data: string,
  sources: readonly SourceAddress[],
  config: EffectiveConfig,
  { port, ownHosts = [] }: { readonly port: number; readonly ownHosts?: readonly string[] },
): Promise<ServedBroker> {
  const opened = await openBroker(data, sources, config, { ownHosts });
  const { broker } = opened;
  try {
    const api = brokerRoutes(broker);
    const listening = await listen({
      folder: broker.folder,
      role: 'broker',
      name: broker.name,
      routes: [
        ...api.map((route) =>
          route.path === '/status' ? withStatusPage(route, { title: broker.name }) : route,
        ),
        tablePageRoute({ api: inProcess(api), title: broker.name }),
        ...searchPageRoutes({
          api: inProcess(api),
          title: broker.name,
          cache: config.text('broker.cache'),
        }),
      ],
      wireVerbs: broker.verbs(),
      port,
      config,
      health: [
        {
          name: 'index',
          check: () => {
            const behind = broker.folder.store.lsn - broker.indexer.lsn;
            return { ok: broker.indexer.fault === undefined, detail: `${behind} changes behind` };
          },
        },
      ],
    });
    broker.start();
    return {
      opened,
      listening,
      [Symbol.asyncDispose]: async () => {
        await listening[Symbol.asyncDispose]();
        await opened[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw error;
  }
}
