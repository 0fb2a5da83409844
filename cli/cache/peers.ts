import { cacheErrors } from '../../cache/errors.ts';
import { requestAnswered } from '../../cache/events.ts';
import {
  digestFetch,
  type OpenedCache,
  openPeers,
  originProbe,
  type PeerConfig,
  type PeerLookup,
  type Peers,
  parsePeer,
  peerLookup,
  type Upstream,
} from '../../cache/index.ts';
import { AddressGuard, isLoopbackHost } from '../../fetch/index.ts';
import { isGarnerError, systemClock } from '../../kernel/index.ts';
import { badSetting } from '../config/bad-setting.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { cacheAllowHosts } from './access.ts';
import type { AcceleratedOrigins } from './origins.ts';
import { cachePolicy } from './policy.ts';

/** The parents and siblings that the settings name. Throws CLI_BAD_SETTING. */
export function configuredPeers(config: EffectiveConfig): readonly PeerConfig[] {
  if (config.flag('cache.never-direct') && config.list('cache.parent').length === 0)
    throw badSetting(
      config,
      'cache.never-direct',
      'is true, but there is no parent',
      'name one, such as --parent parent.example.org:3128:3130',
    );
  return (['parent', 'sibling'] as const).flatMap((role) =>
    config.list(`cache.${role}`).map((text) => {
      const peer = parsePeer(role, text);
      if (!('fault' in peer)) return peer;
      throw badSetting(
        config,
        `cache.${role}`,
        `holds ${JSON.stringify(text.slice(0, 200))}, which is no peer: ${peer.fault}`,
        'write HOST:PORT or HOST:PORT:ICP, such as parent.example.org:3128:3130',
      );
    }),
  );
}

/** `HOST:PORT`, with brackets around an IPv6 address. */
export const peerPlace = ({ host, port }: PeerConfig) => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The hosts that a cache may reach although their address is private. Throws CLI_BAD_SETTING. */
export function reachableHosts(config: EffectiveConfig, origins: AcceleratedOrigins | undefined): string[] {
  return [...cacheAllowHosts(config), ...(origins?.urls ?? []), ...configuredPeers(config).map(peerPlace)];
}

/** The secrets that sign HTCP messages, by name. Throws CLI_BAD_SETTING. */
export function htcpKeys(config: EffectiveConfig): ReadonlyMap<string, string> {
  const pairs = config.list('cache.htcp-keys').map((entry) => {
    const [, name, secret] = /^([\w.-]{1,64})=([\x21-\x7e]{8,512})$/.exec(entry) ?? [];
    if (name !== undefined && secret !== undefined) return [name, secret] as const;
    throw badSetting(
      config,
      'cache.htcp-keys',
      'holds an entry that is not NAME=SECRET',
      'write a name, =, and 8 to 512 printable characters without a space',
    );
  });
  return new Map(pairs);
}

/** The peers of a cache, which work before its store is open. */
export interface CachePeers extends AsyncDisposable {
  readonly peers: Peers;
  /** Answer the queries of other caches from this store from now on. */
  answerFrom(opened: OpenedCache): void;
}

/** Work with the caches that the settings name, and answer others on these UDP ports; undefined when there are neither. */
export async function openCachePeers(
  config: EffectiveConfig,
  ports: { readonly icpPort?: number; readonly htcpPort?: number },
  parts: { readonly upstream: Upstream; readonly allowHosts: readonly string[] },
): Promise<CachePeers | undefined> {
  const configured = configuredPeers(config);
  const { icpPort, htcpPort } = ports;
  const alone = configured.length === 0 && icpPort === undefined && htcpPort === undefined;
  if (alone && !config.flag('cache.proxy')) return undefined;
  let store: OpenedCache['store'] | undefined;
  let cache: OpenedCache['cache'] | undefined;
  let lookup: PeerLookup = { has: () => false, isFresh: () => false };
  const guard = new AddressGuard(parts.allowHosts);
  const probe = originProbe((host, port) => guard.isTyped(host, port));
  const peers = await withPlaces(config, () =>
    openPeers({
      ...{ peers: configured, host: udpHost(config, configured) },
      ...(icpPort !== undefined && { icpPort }),
      ...(htcpPort !== undefined && { htcpPort }),
      askFrom: ['loopback', ...config.list('cache.peer-access')],
      clearFrom: config.list('cache.clear-access'),
      htcpKeys: htcpKeys(config),
      lookup: {
        has: (url) => lookup.has(url),
        isFresh: (url, fields, seconds) => lookup.isFresh(url, fields, seconds),
      },
      clear: async (url) => ((await cache?.purge({ url }, { soft: false })) ?? 0) > 0,
      ready: () => store !== undefined,
      timeoutMs: config.seconds('cache.peer-wait') * 1000,
      probeOrigin: probe,
      raceAfterMs: config.seconds('cache.race-after') * 1000,
      contents: {
        entries: () => store?.statistics().entries ?? 0,
        keys: async function* () {
          if (store !== undefined) yield* store.keys();
        },
      },
      fetchDigest: digestFetch(parts.upstream, systemClock),
      neverDirect: config.flag('cache.never-direct'),
      preferDirect: config.flag('cache.prefer-direct'),
      localDomains: config.list('cache.local-domains'),
      stoplist: config.list('cache.stoplist'),
    }),
  );
  const stop = requestAnswered.subscribe(({ request, decision }) => {
    if (decision.stored === true) peers.stored(request.url);
  });
  return {
    peers,
    answerFrom: (opened) => {
      ({ cache, store } = opened);
      lookup = peerLookup(store, cachePolicy(config), systemClock);
      // If this digest fails the next one is made in an hour; other caches work without it.
      peers.renewDigest().catch(() => undefined);
    },
    [Symbol.asyncDispose]: async () => {
      stop();
      await peers[Symbol.asyncDispose]();
    },
  };
}

/** The address of ICP and HTCP. Datagrams to peers on other machines do not leave from a loopback address. */
export function udpHost(config: EffectiveConfig, peers: readonly PeerConfig[]): string {
  const own = config.text('cache.udp-host') || config.text('http.host') || '127.0.0.1';
  if (config.text('cache.udp-host') !== '' || !isLoopbackHost(own)) return own;
  return peers.every(({ host }) => isLoopbackHost(host)) ? own : '0.0.0.0';
}

/** Errors about peers in a setting, with the place of the setting. */
async function withPlaces<Result>(config: EffectiveConfig, open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    if (!isGarnerError(error, cacheErrors.CACHE_PEER) && !isGarnerError(error, cacheErrors.CACHE_SOURCE))
      throw error;
    const key = error.code === cacheErrors.CACHE_PEER.code ? 'cache.parent' : 'cache.peer-access';
    throw badSetting(config, key, error.message, error.hint, error);
  }
}
