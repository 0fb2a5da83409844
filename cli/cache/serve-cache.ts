import { cacheFault } from '../../cache/events.ts';
import {
  cacheRoutes,
  type HttpDoor,
  openUpstream,
  RequestStatistics,
  type Upstream,
  withSchemes,
} from '../../cache/index.ts';
import { FtpClient, GopherClient } from '../../fetch/index.ts';
import { certificateRenewed } from '../../http/events.ts';
import { reaches, serveHttp } from '../../http/index.ts';
import { limitsFrom } from '../../http/settings.ts';
import { failure, systemClock } from '../../kernel/index.ts';
import { proofRoute } from '../../publication/index.ts';
import { cacheStatusPage } from '../../web/index.ts';
import { onPortOf } from '../command/common-options.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { cliErrors } from '../config/errors.ts';
import { refuseUnusedTls, tlsFiles } from '../config/tls-files.ts';
import { corsOrigins } from '../config/tokens.ts';
import { version } from '../config/version.ts';
import { serverAccess, trustedFronts } from '../server/access.ts';
import { DisposalStack } from '../server/disposal-stack.ts';
import { folderHealth } from '../server/health.ts';
import { listed } from '../server/listed.ts';
import { sitePages } from '../server/site-pages.ts';
import { openCacheDoors } from './doors.ts';
import { rememberSettings } from './kept-settings.ts';
import { cacheMetrics } from './metrics.ts';
import { openCacheFolder, placeOf } from './open-cache.ts';
import { type AcceleratedOrigins, acceleratedOrigins } from './origins.ts';
import { openCachePeers, reachableHosts } from './peers.ts';
import { openCacheWorkers } from './workers.ts';

// Several connections, so that one slow client does not block others from the same server.
const ftpConnections = { perServer: 4, connections: 64 };

/** A cache's connections to origins and peers: by HTTP, and as a proxy also by FTP and Gopher. */
function openCacheUpstream(config: EffectiveConfig, allowHosts: readonly string[]): Upstream {
  const connectTimeoutMs = config.seconds('cache.connect-timeout') * 1000;
  const silenceMs = config.seconds('cache.silence') * 1000;
  const http = openUpstream({ allowHosts, connectTimeoutMs, silenceMs });
  if (!config.flag('cache.proxy')) return http;
  // A proxy fetches for a waiting client, so it makes no crawler's pauses.
  const asking = { allowHosts, connectTimeoutMs, idleTimeoutMs: silenceMs, delayMs: 0, clock: systemClock };
  const ftp = new FtpClient({ ...asking, ...ftpConnections });
  const upstream = withSchemes(
    http,
    { ftp, gopher: new GopherClient(asking) },
    { allowHosts, clock: systemClock, freshSeconds: config.seconds('cache.ftp-fresh') },
  );
  return {
    send: upstream.send,
    [Symbol.asyncDispose]: async () => {
      await upstream[Symbol.asyncDispose]();
      await ftp[Symbol.asyncDispose]();
    },
  };
}

/** Ports of a cache; 0 takes any, an absent one is not opened. */
export interface CachePorts {
  readonly port: number;
  readonly adminPort: number;
  readonly tlsPort?: number;
  readonly icpPort?: number;
  readonly htcpPort?: number;
}

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
  /** Reload the certificate of the TLS port; an unusable one is published, and the old one stays in use. */
  reload(): Promise<void>;
}

/** Open a cache's data, its doors, and its administration port. Throws CLI_BAD_SETTING. */
export async function serveCache(
  data: string,
  config: EffectiveConfig,
  ports: CachePorts,
): Promise<ServedCache> {
  const origins = acceleratedOrigins(config);
  if (origins === undefined && !config.flag('cache.proxy'))
    throw failure(cliErrors.CLI_USAGE, {
      problem: 'cache serve needs a mode',
      help: 'choose --origin URL (accelerator), such as --origin http://127.0.0.1:8080, or --proxy',
    });
  if (ports.tlsPort === undefined) refuseUnusedTls(config);
  const parts = new DisposalStack();
  try {
    const { where, secure } = await openAll(data, config, ports, origins, parts);
    return {
      where,
      reload: () => renewed(secure, config),
      [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose](),
    };
  } catch (error) {
    await parts[Symbol.asyncDispose]();
    throw error;
  }
}

/** Reloads the certificate only: other settings are those of the start. */
async function renewed(secure: HttpDoor | undefined, config: EffectiveConfig): Promise<void> {
  if (secure === undefined) return;
  try {
    const files = await tlsFiles(config, 'cache');
    secure.renewTls(files);
    certificateRenewed.publish({ validTo: new Date(files.certificate.validTo) });
  } catch (error) {
    cacheFault.publish({ where: 'certificate (the old one stays in use)', error });
  }
}

async function openAll(
  data: string,
  config: EffectiveConfig,
  ports: CachePorts,
  origins: AcceleratedOrigins | undefined,
  parts: DisposalStack,
): Promise<{ readonly where: CacheWhere; readonly secure: HttpDoor | undefined }> {
  const allowHosts = reachableHosts(config, origins);
  const upstream = parts.keep(openCacheUpstream(config, allowHosts));
  const neighbours = await openCachePeers(config, ports, { upstream, allowHosts });
  const peers = neighbours?.peers;
  const clock = systemClock;
  const tally = parts.keep(new RequestStatistics(clock, () => performance.now()));
  const connections = { upstream, ...(peers && { router: peers.router }) };
  const held = await openCacheFolder(data, config, { create: true, connections }).catch(async (error) => {
    await neighbours?.[Symbol.asyncDispose]();
    throw error;
  });
  const { folder, opened, name } = parts.keep(held);
  await rememberSettings(folder.path, config, ports);
  // Closed before the store, because it answers other caches from it.
  if (neighbours !== undefined) parts.keep(neighbours);
  neighbours?.answerFrom(opened);
  const { cache, store } = opened;
  const answer = tally.counting((request) => cache.answer(request));
  const { table, controlToken } = serverAccess(config);
  const doors = await openCacheDoors(config, ports, {
    ...{ name, answer, origins, peers, allowHosts },
    mayPurge: async (token) => reaches((await table.callerOf(token))?.scopes ?? [], 'admin'),
    purge: async (target, options) => {
      const purged = await cache.purge(target, options);
      await store.flush();
      return purged;
    },
    ...(opened.ready && { lane: { ready: opened.ready, counts: tally } }),
  });
  const { plain, secure } = doors;
  const open = secure === undefined ? [plain] : [plain, secure];
  for (const door of open) parts.keep(door);
  const isPeer = (address: string) => peers?.isPeer(address) ?? false;
  const workers = await openCacheWorkers(config, { doors, opened, name, isPeer, counts: tally });
  if (workers !== undefined) parts.keep(workers);
  const place = placeOf(
    config,
    name,
    origins,
    open.map(({ url }) => url),
  );
  const status = () => peers?.status() ?? [];
  const routes = cacheRoutes({
    ...{ cache, store, clock, place, tally, neighbours: status, doors: () => doors.counts() },
    ...(origins && { accelerator: origins.hosts }),
    ...(peers && { clearPeers: (url: string) => peers.clear(url) }),
  });
  const { cacheStatusRoutes } = await cacheStatusPage();
  const health = parts.keep(
    await folderHealth(folder, {
      ...{ clock, minFreeDisk: config.bytes('broker.min-free-disk'), worksUnwritten: true },
    }),
  );
  const admin = parts.keep(
    await onPortOf('--admin-port', () =>
      serveHttp({
        routes: [...routes, proofRoute(folder.identity)].flatMap((route) =>
          route.path === '/status'
            ? cacheStatusRoutes(route, { title: name, pages: sitePages('cache', config) })
            : [route],
        ),
        ...{ port: ports.adminPort, clock, tokens: table, title: 'Garner cache', version: version() },
        hostNames: config.list('http.host-names'),
        corsOrigins: corsOrigins(config),
        limits: limitsFrom((key) => config.number(key)),
        fronts: trustedFronts(config),
        metrics: cacheMetrics({
          ...{ cache, store, tally, doors: () => doors.counts() },
          ...(peers && { peers }),
          ...(workers && { workers }),
        }),
        health: [
          ...health.checks,
          { name: 'doors', check: () => ({ state: plain.server.listening ? 'pass' : 'fail' }) },
        ],
      }),
    ),
  );
  await folder.announce({ address: new URL(admin.url).origin, token: controlToken });
  const listing = await listed(
    config,
    async () => {
      const { registeredCache } = await import('./registered-cache.ts');
      const modes = [...(origins ? ['accelerator'] : []), ...(config.flag('cache.proxy') ? ['proxy'] : [])];
      return registeredCache(opened, { modes, peers: status });
    },
    { folder, name, url: plain.url },
  );
  if (listing !== undefined) parts.keep(listing);
  const udp = (port: number | undefined) => (port ? `${plain.host}:${port}` : undefined);
  const [icp, htcp] = [udp(peers?.icpPort), udp(peers?.htcpPort)];
  const where = {
    ...{ name, cache: plain.url, admin: admin.url },
    ...(secure && { tls: secure.url }),
    ...(icp !== undefined && { icp }),
    ...(htcp !== undefined && { htcp }),
  };
  return { where, secure };
}
