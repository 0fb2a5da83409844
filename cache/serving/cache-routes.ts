import type { Route, RouteRequest } from '../../http/index.ts';
import { type Clock, failure } from '../../kernel/index.ts';
import { type AcceleratedHosts, type DoorCounts, requestKey } from '../doors/index.ts';
import { cacheErrors } from '../errors.ts';
import { type CachePlace, cacheReport, type Neighbour, type RequestStatistics } from '../reporting/index.ts';
import { normalisedUrl, type RawFields, urlOfKey } from '../rules/index.ts';
import type { EntryStore, PurgeTarget } from '../storage/index.ts';
import { explanationAnswer, purgeAnswer, statusAnswer } from './cache-schemas.ts';
import type { ObjectCache } from './object-cache.ts';

export interface RoutedCache {
  readonly cache: ObjectCache;
  readonly store: EntryStore;
  readonly clock: Clock;
  readonly place: CachePlace;
  /** The origin servers; absent for a proxy only. */
  readonly accelerator?: AcceleratedHosts;
  /** Absent where no process serves. */
  readonly tally?: RequestStatistics;
  /** Absent where there are no doors. */
  doors?(): DoorCounts;
  neighbours(): readonly Neighbour[];
  /** Have peers forget a URL too (HTCP CLR), and return their number; absent where that is impossible. */
  clearPeers?(url: string): number;
}

const noDoors: DoorCounts = { refused: {}, tunnels: { opened: 0, open: 0 } };

const maxTargetLength = 8192;
const maxFields = 50;
const fieldLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;

type Addressed = Pick<RoutedCache, 'accelerator' | 'place'>;

const keyUrl = (text: string, cache: Addressed): string => keyPlace(text, cache).url;

/**
 * The key of a URL that a person typed: absolute, or a path at the origin of an accelerator whose keys are at
 * origins. For a host that clients name it is the key that the door would make. Throws CACHE_BAD_URL.
 */
function keyPlace(
  text: string,
  { accelerator, place }: Addressed,
): { readonly url: string; readonly isAccelerated: boolean } {
  const { origin, proxy } = place;
  const isAtOrigin = origin !== null && accelerator?.passHost !== true;
  const absolute = text.startsWith('/') && isAtOrigin ? `${origin.replace(/\/+$/, '')}${text}` : text;
  const url = absolute.length > maxTargetLength ? undefined : normalisedUrl(absolute);
  if (url === undefined) throw failure(cacheErrors.CACHE_BAD_URL, { url: text });
  if (accelerator === undefined) return { url, isAccelerated: false };
  if (isAtOrigin && accelerator.origins.some((one) => url.startsWith(`${one}/`)))
    return { url, isAccelerated: true };
  const [, scheme, host = '', path = '/'] = /^([a-z]+):\/\/([^/]+)(.*)$/s.exec(url) ?? [];
  // Clients name hosts to an accelerator by HTTP only.
  if (!proxy && scheme !== 'http' && scheme !== 'https')
    throw failure(cacheErrors.CACHE_BAD_URL, { url: text });
  const own = proxy ? accelerator.namedOriginFor(host) : accelerator.originFor(host);
  const how = { accelerator, scheme: scheme === 'https' ? 'https' : 'http', forwardsScheme: true } as const;
  if (own === undefined) return { url, isAccelerated: false };
  return { url: requestKey(own, host, path, how) ?? url, isAccelerated: true };
}

/** Fields of a hypothetical request. Throws CACHE_BAD_FIELD. */
function typedFields(lines: readonly string[]): RawFields {
  return lines.slice(0, maxFields).flatMap((line) => {
    const [, name, value] = fieldLine.exec(line) ?? [];
    if (name === undefined || value === undefined || line.length > maxTargetLength)
      throw failure(cacheErrors.CACHE_BAD_FIELD, { line });
    return [name, value.trimEnd()];
  });
}

interface PurgeOrder {
  readonly target: PurgeTarget;
  readonly soft: boolean;
  /** Have the peers forget it as well. */
  readonly peers: boolean;
}

/** Parse the body of a purge request. Throws CACHE_BAD_PURGE, CACHE_BAD_URL. */
function purgeOrder(body: Uint8Array, cache: Addressed): PurgeOrder {
  let parsed: Readonly<Record<string, unknown>>;
  try {
    parsed = JSON.parse(Buffer.from(body).toString()) as typeof parsed;
  } catch (error) {
    throw failure(cacheErrors.CACHE_BAD_PURGE, { problem: 'it is not JSON' }, error);
  }
  const bad = (problem: string) => failure(cacheErrors.CACHE_BAD_PURGE, { problem });
  if (typeof parsed !== 'object' || parsed === null) throw bad('it is not an object');
  const { soft = false, peers = false, ...named } = parsed;
  if (typeof soft !== 'boolean') throw bad('soft is neither true nor false');
  if (typeof peers !== 'boolean') throw bad('peers is neither true nor false');
  if (peers && named.url === undefined) throw bad('peers can only purge a url');
  const given = Object.entries(named);
  const [[name, value] = ['', undefined]] = given;
  if (given.length !== 1) throw bad('it has to name exactly one of url, prefix, tag and all');
  if (name === 'all' && value === true) return { target: { all: true }, soft, peers };
  if (typeof value !== 'string' || value === '' || value.length > maxTargetLength)
    throw bad(`${name.slice(0, 40)} has no text, or its text is too long`);
  if (name === 'tag') return { target: { tag: value }, soft, peers };
  if (name === 'url') return { target: { url: keyUrl(value, cache) }, soft, peers };
  if (name === 'prefix') return { target: { prefix: urlOfKey(keyUrl(value, cache)) }, soft, peers };
  throw bad(`${name.slice(0, 40)} is not one of url, prefix, tag and all`);
}

/** The routes of a cache: its status, the reasons for its answers, and purging. */
export function cacheRoutes(served: RoutedCache): readonly Route[] {
  const { cache, store, clock, place, tally } = served;
  const uncached = { 'cache-control': 'no-store' };
  return [
    {
      method: 'GET',
      path: '/status',
      summary: 'The store, the answers and the neighbours of this cache',
      scope: 'public',
      response: statusAnswer,
      handle: async () => ({
        headers: uncached,
        json: await cacheReport({
          ...{ place, store, nowMs: clock.now(), neighbours: served.neighbours() },
          ...(tally && {
            served: { counts: cache.counts(), tallied: tally.read(), doors: served.doors?.() ?? noDoors },
          }),
        }),
      }),
    },
    {
      method: 'GET',
      path: '/why',
      summary:
        'The reasons for the answers of a URL: its stored responses, their rules, and its latest requests',
      scope: 'read',
      parameters: [
        {
          name: 'url',
          in: 'query',
          describe: 'An absolute URL, or a path at the origin',
          required: true,
          schema: { type: 'string' },
        },
        {
          name: 'header',
          in: 'query',
          describe: 'A field of the request, as NAME: VALUE; may be repeated',
          schema: { type: 'string' },
        },
      ],
      response: explanationAnswer,
      handle: async ({ query, queries }: RouteRequest) => {
        const place = keyPlace(query.url ?? '', served);
        const fields = typedFields(queries.header ?? []);
        return { headers: uncached, json: await cache.explain({ ...place, fields }) };
      },
    },
    {
      method: 'POST',
      path: '/purge',
      summary: 'Remove stored responses, or make them stale from now on (soft)',
      scope: 'admin',
      request: {
        type: 'object',
        properties: {
          url: { type: 'string' },
          prefix: { type: 'string' },
          tag: { type: 'string' },
          all: { const: true },
          soft: { type: 'boolean' },
          peers: { type: 'boolean' },
        },
      },
      response: purgeAnswer,
      handle: async ({ body }) => {
        const { target, soft, peers } = purgeOrder(body, served);
        const purged = await cache.purge(target, { soft });
        await store.flush();
        if (!peers || !('url' in target)) return { json: { purged, soft } };
        return { json: { purged, soft, peersReached: served.clearPeers?.(urlOfKey(target.url)) ?? 0 } };
      },
    },
  ];
}
