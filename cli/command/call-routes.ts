import { httpErrors } from '../../http/errors.ts';
import { type Caller, checkParameters, type Route, type RouteRequest, reaches } from '../../http/index.ts';
import { failure, GarnerError } from '../../kernel/index.ts';

export interface RouteCall {
  readonly method?: RouteRequest['method'];
  /** With its query string, as over HTTP. */
  readonly path: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** The caller; without one only public routes are reached. */
  readonly caller?: Caller;
  /** The address of the client for whom it is called. */
  readonly client?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Call an API's route without a socket, for its JSON. Throws its errors, HTTP_FORBIDDEN, HTTP_NOT_FOUND. */
export async function callRoutes(routes: readonly Route[], call: RouteCall): Promise<unknown> {
  const { method = 'GET', path, json, caller, client, signal = new AbortController().signal } = call;
  const url = new URL(path, 'http://localhost');
  const found = routes
    .filter((route) => route.method === method)
    .map((route) => ({ route, params: paramsOf(route.path, url.pathname) }))
    .find(({ params }) => params !== undefined);
  if (found?.params === undefined) throw failure(httpErrors.HTTP_NOT_FOUND, {});
  const { route, params } = found;
  if (!reaches(caller?.scopes ?? [], route.scope))
    throw failure(httpErrors.HTTP_FORBIDDEN, { scope: route.scope });
  const queries: Record<string, string[]> = {};
  for (const [name, value] of url.searchParams) queries[name] = [...(queries[name] ?? []), value];
  const request: RouteRequest = {
    ...{ method, url: path, path: url.pathname, params, queries, signal },
    query: Object.fromEntries(Object.entries(queries).map(([name, values]) => [name, values[0] ?? ''])),
    headers: { accept: 'application/json' },
    body: json === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(json)),
    ...(caller && { caller }),
    ...(client !== undefined && { client }),
  };
  checkParameters(route, request);
  return (await route.handle(request)).json;
}

/** The same with the status and the JSON of the answer over HTTP, refusals too. */
export async function askRoutes(
  routes: readonly Route[],
  call: RouteCall,
): Promise<{ readonly status: number; readonly json: unknown }> {
  try {
    return { status: 200, json: await callRoutes(routes, call) };
  } catch (error) {
    if (!(error instanceof GarnerError)) throw error;
    const { code, message, hint, status } = error;
    return { status, json: { error: { code, message, hint } } };
  }
}

/** The parameters of a path that a route takes; undefined for another path. */
function paramsOf(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [template.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const own = given[at] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(own);
    else if (part !== own) return undefined;
  }
  return params;
}
