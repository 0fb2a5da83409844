import { brokerRoutes, type SourceAddress } from '../broker/index.ts';
import type { Route, RouteRequest } from '../http/index.ts';
import { GarnerError } from '../kernel/index.ts';
import { searchPageRoutes, withStatusPage } from '../web/index.ts';
import type { EffectiveConfig } from './config.ts';
import { type Listening, listen } from './listen.ts';
import { type OpenedBroker, openBroker } from './open-broker.ts';

/** A Broker that listens and collects by itself. */
export interface ServedBroker extends AsyncDisposable {
  readonly opened: OpenedBroker;
  readonly listening: Listening;
}

/** Ask one of an API's routes without a socket, as `GET path`. Throws what the route throws. */
export async function askRoutes(routes: readonly Route[], path: string): Promise<unknown> {
  const url = new URL(path, 'http://localhost');
  const route = routes.find((candidate) => candidate.method === 'GET' && candidate.path === url.pathname);
  if (route === undefined) throw new TypeError(`there is no route ${url.pathname}`);
  const queries: Record<string, string[]> = {};
  for (const [name, value] of url.searchParams) queries[name] = [...(queries[name] ?? []), value];
  const request: RouteRequest = {
    method: 'GET',
    url: path,
    path: url.pathname,
    params: {},
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
  { port }: { readonly port: number },
): Promise<ServedBroker> {
  const opened = await openBroker(data, sources, config);
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
