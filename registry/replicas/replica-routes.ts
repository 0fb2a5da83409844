import {
  httpErrors,
  type ParameterDescription,
  type Route,
  type RouteRequest,
  schemas,
} from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import type { Replica, Replicas } from './replicas.ts';

const maxPath = 2000;
const maxListed = 256;

const { choice, count, flag, list: listOf, number, object, orNull, text } = schemas;

const response = object({
  ...{ servers: count, fingerprint: text },
  replicas: listOf(
    object({
      ...{ url: text, name: text, serverId: orNull(text), isReplica: flag, isSelf: flag },
      ...{ state: choice('live', 'dead', 'unknown'), roundTripMs: orNull(number) },
    }),
  ),
});

const parameters: readonly ParameterDescription[] = [
  {
    name: 'path',
    in: 'query',
    describe: 'Path and query there, such as /servers',
    schema: { type: 'string' },
  },
  {
    name: 'list',
    in: 'query',
    describe: 'Present: list all in place of a redirect',
    schema: { type: 'string' },
  },
];

/** Where a path is at a replica. Throws HTTP_BAD_PARAMETER for one that leads elsewhere. */
function placeAt({ url, isSelf }: Replica, path: string): string {
  const base = URL.parse(url);
  const place = base && URL.parse(path.slice(1), base.href);
  const isBelow = place?.href.startsWith(base?.href ?? '') === true && place.username === '';
  if (path.length > maxPath || !path.startsWith('/') || !isBelow)
    throw failure(httpErrors.HTTP_BAD_PARAMETER, {
      ...{ name: 'path', problem: `is not a path of at most ${maxPath} characters, such as /servers` },
    });
  // Relative, so that a client stays on the way by which it came here.
  return isSelf ? `../${place.href.slice(base?.href.length)}` : place.href;
}

/** `GET /replicas`, `/replicas/nearest` and `/replicas/random`. */
export function replicaRoutes(
  replicas: Pick<Replicas, 'list' | 'choose'>,
  content: () => { readonly servers: number; readonly fingerprint: Uint8Array },
): readonly Route[] {
  const list = async () => {
    const { servers, fingerprint } = content();
    const known = (await replicas.list()).slice(0, maxListed);
    const text = Buffer.from(fingerprint).toString('base64url');
    return {
      json: { servers, fingerprint: text, replicas: known },
      headers: { 'cache-control': 'no-store' },
    };
  };
  const chosen = (by: 'nearest' | 'random') => async (request: Pick<RouteRequest, 'query'>) => {
    const { list: isListed, path = '/' } = request.query;
    const replica = isListed === undefined ? await replicas.choose(by) : undefined;
    if (replica === undefined) return list();
    return {
      status: 307,
      headers: { location: placeAt(replica, path), 'cache-control': 'no-store' },
      body: '',
    };
  };
  return [
    {
      ...{ method: 'GET', path: '/replicas', scope: 'public', response },
      summary: 'The Registries that this one knows, with their state and round trip, and what it has itself',
      handle: list,
    },
    {
      ...{ method: 'GET', path: '/replicas/nearest', scope: 'public', parameters, response },
      summary: 'Redirects to the live replica with the shortest round trip from this Registry',
      handle: chosen('nearest'),
    },
    {
      ...{ method: 'GET', path: '/replicas/random', scope: 'public', parameters, response },
      summary: 'Redirects to a live replica by chance',
      handle: chosen('random'),
    },
  ];
}
