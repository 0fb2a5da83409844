import { hostname, networkInterfaces } from 'node:os';
import { cacheFault } from '../../cache/events.ts';
import {
  type AccessRules,
  type DoorCounts,
  type DoorLimits,
  defaultDoorLimits,
  doorCounts,
  type FastLaneOptions,
  type HttpDoor,
  type HttpDoorOptions,
  IgnoredCookies,
  type LaneParts,
  openHttpDoor,
  type Peers,
  Purging,
  type PurgingOptions,
  Tunnels,
} from '../../cache/index.ts';
import { AddressGuard } from '../../fetch/index.ts';
import { systemClock } from '../../kernel/index.ts';
import { onPortOf } from '../command/common-options.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { tlsFiles } from '../config/tls-files.ts';
import { cacheAccess, cacheFronts, placed, purgeSources } from './access.ts';
import type { AcceleratedOrigins } from './origins.ts';
import { cachePolicy } from './policy.ts';

/** The parts of a cache's doors besides its settings. */
export interface DoorParts {
  readonly name: string;
  readonly answer: HttpDoorOptions['answer'];
  readonly origins: AcceleratedOrigins | undefined;
  readonly peers: Peers | undefined;
  /** The hosts that the operator named: tunnels may lead there. */
  readonly allowHosts: readonly string[];
  readonly mayPurge: (token: string) => Promise<boolean>;
  /** Forget responses, so that they stay forgotten. */
  readonly purge: PurgingOptions['purge'];
  /** For a fast lane before each door; there is none without. */
  readonly lane?: Omit<LaneParts, 'queries'>;
}

/** The settings of every fast lane of a cache. Throws CLI_BAD_SETTING. */
export function laneOptions(
  config: EffectiveConfig,
): Pick<FastLaneOptions, 'proxy' | 'forwarded' | 'ignoredCookies'> &
  Required<Pick<FastLaneOptions, 'queries'>> & { readonly limits: DoorLimits } {
  const ignored = config.list('cache.ignore-cookies');
  return {
    proxy: config.flag('cache.proxy'),
    forwarded: config.flag('cache.forwarded'),
    ...(ignored.length > 0 && {
      ignoredCookies: placed(config, 'cache.ignore-cookies', () => new IgnoredCookies(ignored)),
    }),
    queries: cachePolicy(config).queries,
    limits: {
      ...defaultDoorLimits,
      maxHeadBytes: config.bytes('cache.max-head'),
      maxUploadBytes: config.bytes('cache.max-upload'),
      maxConnections: config.count('cache.max-connections'),
      maxRequests: config.count('cache.max-requests'),
      clientConnections: config.count('cache.client-connections'),
      clientRequests: config.count('cache.client-requests'),
      headTimeoutMs: config.seconds('http.header-timeout') * 1000,
      keepAliveMs: config.seconds('http.keep-alive') * 1000,
      stallMs: config.seconds('cache.stall') * 1000,
      closeGraceMs: config.seconds('http.close-grace') * 1000,
    },
  };
}

/** Open doors, and the parts that worker processes share with them. */
export interface OpenedDoors {
  readonly plain: HttpDoor;
  readonly secure?: HttpDoor;
  readonly access: AccessRules;
  readonly limits: DoorLimits;
  /** The refusals of the doors so far, and their tunnels. */
  counts(): DoorCounts;
}

/** The doors of a cache: plain, and over TLS where a port for that is given. Throws CLI_BAD_SETTING. */
export async function openCacheDoors(
  config: EffectiveConfig,
  ports: { readonly port: number; readonly tlsPort?: number },
  parts: DoorParts,
): Promise<OpenedDoors> {
  const options = doorOptions(config, parts);
  const tls = ports.tlsPort === undefined ? undefined : await tlsFiles(config, 'cache');
  const authorities = new Set<string>();
  const open = async (port: number, more: Partial<HttpDoorOptions> = {}): Promise<HttpDoor> => {
    const { peers } = parts;
    const door = await openHttpDoor({
      ...{ ...options, ...more, port },
      ...(peers && { own: (request) => peers.digestAnswer(request, authorities) }),
    });
    for (const host of ownNames(door.host)) authorities.add(`${host}:${door.port}`);
    return door;
  };
  const plain = await open(ports.port);
  const { access, limits, tunnels } = options;
  const shared = (...doors: readonly HttpDoor[]) => ({
    ...{ access, limits, plain },
    counts: () => doorCounts(doors, tunnels),
  });
  if (tls === undefined || ports.tlsPort === undefined) return shared(plain);
  try {
    const { tlsPort } = ports;
    const secure = await onPortOf('--tls-port', () => open(tlsPort, { tls }));
    return { ...shared(plain, secure), secure };
  } catch (error) {
    await plain[Symbol.asyncDispose]();
    throw error;
  }
}

/** The names of this machine in a URL of another cache that requests our digest. */
function ownNames(listening: string): readonly string[] {
  const names = ['localhost', hostname().toLowerCase(), listening];
  const all = listening === '0.0.0.0' || listening === '::' ? Object.values(networkInterfaces()).flat() : [];
  for (const own of all) if (own) names.push(own.address);
  return names.map((name) => (name.includes(':') ? `[${name.split('%')[0]}]` : name));
}

function doorOptions(
  config: EffectiveConfig,
  { name, answer, origins, peers, allowHosts, mayPurge: knows, purge, lane }: DoorParts,
): Omit<HttpDoorOptions, 'port' | 'access' | 'limits' | 'tunnels'> &
  Pick<OpenedDoors, 'access' | 'limits'> & { readonly tunnels: Tunnels } {
  const isPeer = (address: string) => peers?.isPeer(address) ?? false;
  const { queries, ...forLanes } = laneOptions(config);
  const connectTimeoutMs = config.seconds('cache.connect-timeout') * 1000;
  return {
    ...{ host: config.text('http.host'), clock: systemClock, pseudonym: name, answer, isPeer },
    ...forLanes,
    ...(origins && { accelerator: origins.hosts }),
    ...(lane && { lane: { ...lane, queries } }),
    access: cacheAccess(config, isPeer),
    isFront: cacheFronts(config),
    ignoresReload: config.text('cache.client-reload') === 'ignore',
    purging: placed(
      config,
      'cache.purge-access',
      () => new Purging({ from: purgeSources(config), isPeer, knows, purge }),
    ),
    tunnels: placed(
      config,
      'cache.connect-ports',
      () =>
        new Tunnels({
          ports: config.list('cache.connect-ports'),
          guard: new AddressGuard(allowHosts),
          connectTimeoutMs,
          silenceMs: config.seconds('cache.silence') * 1000,
          maxTunnels: config.count('cache.max-tunnels'),
          ...(peers && { router: peers.router }),
        }),
    ),
    fault: (error) => cacheFault.publish({ where: 'door', error }),
  };
}
