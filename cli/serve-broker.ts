import { brokerRoutes, type SourceAddress } from '../broker/index.ts';
import type { Route, RouteRequest } from '../http/index.ts';
import { GarnerError } from '../kernel/index.ts';
import { searchPageRoutes, tablePageRoute, withStatusPage } from '../web/index.ts';
import { openClassicPort } from './classic-port.ts';
import type { EffectiveConfig } from './config.ts';
import { linesAddress } from './lines-address.ts';
import { type Listening, listen } from './listen.ts';
import { type OpenedBroker, openBroker } from './open-broker.ts';

/** A Broker that listens and collects by itself. */
export interface ServedBroker extends AsyncDisposable {
  readonly opened: OpenedBroker;
  readonly listening: Listening;
  /** `host:port` for clients of Harvest's time, when broker.classic-port is set. */
  readonly classicAddress: string | undefined;
}

/** What stands for the parameters of a route in a path, or undefined when that is another route's. */
function paramsOf(route: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [route.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const value = given[i] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(value);
    else if (part !== value) return undefined;
  }
  return params;
}

/** Ask one of an API's routes without a socket, as `GET path`. Throws what the route throws. */
export async function askRoutes(routes: readonly Route[], path: string): Promise<unknown> {
  const url = new URL(path, 'http://localhost');
  const route = routes.find(
    (candidate) => candidate.method === 'GET' && paramsOf(candidate.path, url.pathname) !== undefined,
  );
  if (route === undefined) throw new TypeError(`there is no route ${url.pathname}`);
  const queries: Record<string, string[]> = {};
  for (const [name, value] of url.searchParams) queries[name] = [...(queries[name] ?? []), value];
  const request: RouteRequest = {
    method: 'GET',
    url: path,
    path: url.pathname,
    params: paramsOf(route.path, url.pathname) ?? {},
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
  let listening: Listening | undefined;
  try {
    const api = brokerRoutes(broker);
    listening = await listen({
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
    const classic = await openClassicPort(broker, config);
    broker.start();
    void opened.verifyIndex();
    const door = listening;
    return {
      opened,
      listening,
      classicAddress: classic && linesAddress(classic),
      [Symbol.asyncDispose]: async () => {
        await Promise.all([door[Symbol.asyncDispose](), classic?.[Symbol.asyncDispose]()]);
        await opened[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await listening?.[Symbol.asyncDispose]();
    await opened[Symbol.asyncDispose]();
    throw error;
  }
}
