import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { cacheRoutes, type HttpDoor, openHttpDoor, openUpstream, Tally } from '../cache/index.ts';
import { type HttpServer, limitsFrom, serveHttp } from '../http/index.ts';
import { failure, systemClock } from '../kernel/index.ts';
import { cacheStatusRoutes } from '../web/index.ts';
import { serverAccess } from './access.ts';
import { cacheMetrics } from './cache-metrics.ts';
import { configuredPeers, openCachePeers } from './cache-peers.ts';
import type { EffectiveConfig } from './config.ts';
import { cliErrors } from './errors.ts';
import { acceleratedOrigin, openCacheFolder } from './open-cache.ts';
import { OpenedParts } from './opened-parts.ts';
import { version } from './version.ts';

/** Ports of a cache; 0 takes any, one that is absent is not opened. */
export interface CachePorts {
  readonly port: number;
  readonly adminPort: number;
  readonly tlsPort?: number;
  readonly icpPort?: number;
  readonly htcpPort?: number;
}

/** Where a served cache is found. */
export interface CacheWhere {
  readonly name: string;
  readonly cache: string;
  readonly tls?: string;
  readonly admin: string;
  readonly icp?: string;
  readonly htcp?: string;
}

/** A cache that serves. Disposing ends it. */
export interface ServedCache extends AsyncDisposable {
  readonly where: CacheWhere;
}

/** Open a cache's data, its doors, and the port on which it is administered. Throws CLI_BAD_SETTING. */
export async function serveCache(
  data: string,
  config: EffectiveConfig,
  ports: CachePorts,
): Promise<ServedCache> {
  const origin = acceleratedOrigin(config);
  const proxy = config.flag('cache.proxy');
  if (origin === undefined && !proxy)
    throw failure(cliErrors.CLI_USAGE, {
      problem: 'cache serve does not know what to be',
      help: 'name the server it stands before (--origin http://127.0.0.1:8080), or let it be a proxy (--proxy)',
    });
  const parts = new OpenedParts();
  try {
    return {
      where: await openAll({ data, config, ports, origin, proxy }, parts),
      [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose](),
    };
  } catch (error) {
    await parts[Symbol.asyncDispose]();
    throw error;
  }
}

interface Wanted {
  readonly data: string;
  readonly config: EffectiveConfig;
  readonly ports: CachePorts;
  readonly origin: string | undefined;
  readonly proxy: boolean;
}

async function openAll(
  { data, config, ports, origin, proxy }: Wanted,
  parts: OpenedParts,
): Promise<CacheWhere> {
  const allowHosts = [
    ...config.list('cache.allow-hosts'),
    ...(origin === undefined ? [] : [origin]),
    ...configuredPeers(config).map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`),
  ];
  const upstream = parts.keep(
    openUpstream({
      allowHosts,
      connectTimeoutMs: config.seconds('cache.connect-timeout') * 1000,
      silenceMs: config.seconds('cache.silence') * 1000,
    }),
  );
  const neighbours = await openCachePeers(config, ports, { upstream, allowHosts });
  const peers = neighbours?.peers;
  const connect = () => ({ upstream, ...(peers && { router: peers.router }) });
  const held = await openCacheFolder(data, config, { create: true, connect }).catch(async (error) => {
    await neighbours?.[Symbol.asyncDispose]();
    throw error;
  });
  const { folder, opened, name } = parts.keep(held);
  // Ended before the store: others are told of what is in it.
  if (neighbours !== undefined) parts.keep(neighbours);
  neighbours?.tell(opened);
  const { cache, store } = opened;
  const tally = parts.keep(new Tally(systemClock, () => performance.now()));
  const doors: HttpDoor[] = [];
  const authorities = new Set<string>();
  const openDoor = async (port: number, tls?: { readonly key: string; readonly cert: string }) => {
    const door = parts.keep(
      await openHttpDoor({
        ...{ host: config.text('http.host'), port, clock: systemClock, pseudonym: name, proxy },
        answer: tally.counting((request) => cache.answer(request)),
        ...(origin !== undefined && { accelerator: { originFor: () => origin, namedOriginFor: () => undefined } }),
        limits: doorLimits(config),
        ...(peers && {
          isPeer: (address: string) => peers.isPeer(address),
          own: ({ method, target }: { readonly method: string; readonly target: string }) =>
            peers.digestAnswer(method, target, authorities),
        }),
        ...(tls && { tls }),
      }),
    );
    doors.push(door);
    for (const host of [door.host, 'localhost', hostname()]) authorities.add(`${host}:${door.port}`);
    return door;
  };
  const plain = await openDoor(ports.port);
  const tls = await tlsFiles(config);
  const secure = ports.tlsPort === undefined ? undefined : await openDoor(ports.tlsPort, tls);
  const place = { name, origin: origin ?? null, proxy, addresses: doors.map(({ url }) => url) };
  const routes = cacheRoutes({
    cache,
    store,
    clock: systemClock,
    place,
    tally,
    neighbours: () => peers?.status() ?? [],
  });
  const access = serverAccess(config);
  const admin: HttpServer = parts.keep(
    await serveHttp({
      routes: routes.flatMap((route) =>
        route.path === '/status' ? cacheStatusRoutes(route, { title: name }) : [route],
      ),
      ...{ port: ports.adminPort, clock: systemClock, tokens: access.table },
      hostNames: config.list('http.host-names'),
      ...{ title: 'Garner cache', version: version() },
      limits: limitsFrom((key) => config.number(key)),
      metrics: cacheMetrics({ cache, store, tally }),
      health: [{ name: 'store', check: () => ({ ok: store.statistics().entries >= 0 }) }],
    }),
  );
  await folder.announce({ address: new URL(admin.url).origin, token: access.controlToken });
  const udp = (port: number | undefined) => (port ? `${plain.host}:${port}` : undefined);
  const [icp, htcp] = [udp(peers?.icpPort), udp(peers?.htcpPort)];
  return {
    ...{ name, cache: plain.url, admin: admin.url },
    ...(secure && { tls: secure.url }),
    ...(icp !== undefined && { icp }),
    ...(htcp !== undefined && { htcp }),
  };
}

const doorLimits = (config: EffectiveConfig) => ({
  maxHeadBytes: config.bytes('cache.max-head'),
  maxUploadBytes: config.bytes('cache.max-upload'),
  maxConnections: config.count('cache.max-connections'),
  maxRequests: config.count('cache.max-requests'),
  clientRequests: config.count('cache.client-requests'),
  headTimeoutMs: config.seconds('http.header-timeout') * 1000,
  closeGraceMs: config.seconds('http.close-grace') * 1000,
});

/** Certificate and key of the settings. Throws CLI_BAD_SETTING. */
async function tlsFiles(
  config: EffectiveConfig,
): Promise<{ readonly key: string; readonly cert: string } | undefined> {
  const read = async (key: string) => {
    const path = config.text(key);
    if (path === '') return undefined;
    return readFile(resolve(config.folder, path), 'utf8').catch((error: unknown) => {
      throw failure(
        cliErrors.CLI_BAD_SETTING,
        {
          ...{ key, at: config.origin(key), problem: `is ${path}, which cannot be read` },
          cure: 'name a file in PEM that this user may read',
        },
        error,
      );
    });
  };
  const [cert, key] = [await read('cache.tls-certificate'), await read('cache.tls-key')];
  return cert === undefined || key === undefined ? undefined : { key, cert };
}
