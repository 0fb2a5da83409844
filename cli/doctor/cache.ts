import { statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { type CacheReport, connectFaultOf, openUpstream, type Upstream } from '../../cache/index.ts';
import { isLoopbackHost } from '../../fetch/index.ts';
import { callControl } from '../../http/index.ts';
import { isGarnerError } from '../../kernel/index.ts';
import type { Holder } from '../../store/index.ts';
import {
  type RememberedPorts,
  rememberedOrigins,
  rememberedPorts,
  servedSettings,
} from '../cache/kept-settings.ts';
import { acceleratedOrigins } from '../cache/origins.ts';
import { configuredPeers, htcpKeys, reachableHosts, udpHost } from '../cache/peers.ts';
import { doorOf } from '../command/open-or-ask.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { defaultPorts } from '../config/ports.ts';
import { tlsFiles, tlsSetting } from '../config/tls-files.ts';
import { size } from '../text/number-formats.ts';
import { answerOf, patienceMs, peerFindings, reasonOf } from './cache-peers.ts';
import { validity } from './certificates.ts';
import { type Finding, faulty, well } from './doctor-check.ts';
import { wantedPort } from './ports.ts';

/**
 * Whether a cache can do its work: its ports, its origins and peers, its certificate and its disk. `path` is its folder,
 * `held` the process that serves it. Empty when no cache is configured and none was ever served there.
 */
export async function cacheFindings(
  given: EffectiveConfig,
  path: string,
  held: Holder | undefined,
): Promise<readonly Finding[]> {
  const config = await servedSettings(path, given, held !== undefined);
  const origins = acceleratedOrigins(config);
  if (!config.flag('cache.proxy') && origins === undefined) return [];
  const peers = configuredPeers(config);
  const last = await rememberedPorts(path);
  const report = await reportOf(held);
  const own = ownPlaces(config, report, last);
  await using upstream = openUpstream({
    allowHosts: reachableHosts(config, origins),
    ...{ connectTimeoutMs: patienceMs, silenceMs: patienceMs },
  });
  const found = await Promise.all([
    ports(config, last, report),
    otherOrigins(config, await rememberedOrigins(path)),
    Promise.all((origins?.hosts.origins ?? []).slice(0, 64).map((url) => origin(url, upstream, own))),
    peerFindings(peers, upstream, { host: udpHost(config, peers), htcpKeys: htcpKeys(config) }),
    certificate(config, report, last),
    room(config, path, report),
  ]);
  return found.flat();
}

/** The report of a serving cache; undefined when none serves, or it does not answer. */
async function reportOf(held: Holder | undefined): Promise<CacheReport | undefined> {
  const door = doorOf(held);
  if (door === undefined) return undefined;
  return (await callControl(door, '/status', { signal: AbortSignal.timeout(patienceMs) }).catch(
    () => undefined,
  )) as CacheReport | undefined;
}

async function ports(
  config: EffectiveConfig,
  last: RememberedPorts | undefined,
  report: CacheReport | undefined,
): Promise<readonly Finding[]> {
  if (report !== undefined)
    return report.addresses.map((url) => well(`the cache of this data folder serves ${url}`));
  const host = config.text('http.host') || '127.0.0.1';
  const udp = { udp: true, host: udpHost(config, configuredPeers(config)) };
  const { port = defaultPorts.cache, tlsPort = 0, adminPort = 0, icpPort = 0, htcpPort = 0 } = last ?? {};
  const wanted = [
    { port, host, option: '--port', what: 'cache serve' },
    { port: tlsPort, host, option: '--tls-port', what: 'TLS of cache serve' },
    { port: adminPort, host: '127.0.0.1', option: '--admin-port', what: 'the administration of cache serve' },
    { port: icpPort, ...udp, option: '--icp-port', what: 'ICP of cache serve' },
    { port: htcpPort, ...udp, option: '--htcp-port', what: 'HTCP of cache serve' },
  ];
  return Promise.all(wanted.filter(({ port }) => port > 0).map(({ port, ...one }) => wantedPort(port, one)));
}

/** Whether the stored responses come from other servers than the ones set now. */
function otherOrigins(config: EffectiveConfig, before: readonly string[] | undefined): readonly Finding[] {
  const now = config.list('cache.origin');
  if (before === undefined || now.join() === before.join()) return [];
  const words = (origins: readonly string[]) =>
    origins.length === 0 ? 'no origin' : origins.slice(0, 8).join(', ');
  const what = `the cache last served ${words(before)}, and is now set to ${words(now)} (${config.origin('cache.origin')})`;
  return [{ ok: true, what }];
}

/** The URLs of the cache itself, as far as they are known. */
function ownPlaces(
  config: EffectiveConfig,
  report: CacheReport | undefined,
  { port = 0, tlsPort = 0 }: RememberedPorts = {},
): readonly string[] {
  const host = config.text('http.host') || '127.0.0.1';
  const named = host.includes(':') ? `[${host}]` : host;
  return report?.addresses ?? [port, tlsPort].filter((one) => one > 0).map((one) => `http://${named}:${one}`);
}

const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '[::]']);

/** Whether a URL leads to the cache itself. */
function isOwn(url: string, places: readonly string[]): boolean {
  const asked = new URL(url);
  const port = (one: URL) => one.port || (one.protocol === 'https:' ? '443' : '80');
  return places
    .map((place) => new URL(place))
    .filter((place) => port(place) === port(asked))
    .some(({ hostname }) => {
      if (hostname === asked.hostname) return true;
      if (everyAddress.has(hostname)) return isLoopbackHost(asked.hostname);
      return isLoopbackHost(hostname) && asked.hostname === 'localhost';
    });
}

async function origin(url: string, upstream: Upstream, own: readonly string[]): Promise<Finding> {
  if (isOwn(url, own)) {
    const cure = 'set cache.origin to the server behind the cache, or serve the cache on another port';
    return faulty(`origin ${url} is the cache itself`, cure);
  }
  try {
    const { status, ms } = await answerOf(upstream, {
      ...{ method: 'HEAD', url: `${url}/`, fields: ['User-Agent', 'garner-doctor'] },
      route: { to: 'origin' },
    });
    if (status < 500) return well(`origin ${url} answers ${status} in ${ms} ms`);
    const cure = 'look at its log; the cache passes its errors on, or answers with stale responses';
    return faulty(`origin ${url} answers ${status}`, cure);
  } catch (error) {
    const cure =
      (isGarnerError(error) ? connectFaultOf(error) : undefined)?.cure ??
      'check that it runs and that cache.origin is right';
    return faulty(
      `origin ${url} does not answer: ${reasonOf(error)}`,
      `${cure}; until then the cache answers from its store`,
    );
  }
}

async function certificate(
  config: EffectiveConfig,
  report: CacheReport | undefined,
  last: RememberedPorts | undefined,
): Promise<readonly Finding[]> {
  const set = tlsSetting(config, 'cache');
  if (set === undefined) return [];
  const served = report?.addresses.find((url) => url.startsWith('https:'));
  if (report === undefined ? last !== undefined && last.tlsPort === undefined : served === undefined)
    return [
      faulty(
        `${set} is set, and the cache ${report === undefined ? 'was last served' : 'serves'} without a port for TLS`,
        'give one with --tls-port PORT, or leave out cache.tls-certificate and cache.tls-key',
      ),
    ];
  try {
    const { certificate } = await tlsFiles(config, 'cache');
    const renew = 'renew it; systemctl reload garner-cache (SIGHUP) makes a cache reload it';
    const shown = served === undefined ? undefined : await shownOn(served);
    return [
      validity(certificate, renew),
      ...(shown === undefined || shown === certificate.fingerprint256
        ? []
        : [
            faulty(
              `the cache answers with another certificate than the one in cache.tls-certificate`,
              'reload it: systemctl reload garner-cache, or SIGHUP to its process',
            ),
          ]),
    ];
  } catch (error) {
    if (!isGarnerError(error)) throw error;
    return [faulty(error.message, error.hint)];
  }
}

/** The fingerprint of the certificate at an address; undefined when there is no answer. */
function shownOn(url: string): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '').replace(/^0\.0\.0\.0$/, '127.0.0.1');
  return new Promise((resolve) => {
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ...servername });
    const end = (fingerprint: string | undefined) => {
      socket.destroy();
      resolve(fingerprint);
    };
    socket.setTimeout(patienceMs, () => end(undefined));
    socket.on('error', () => end(undefined));
    socket.on('secureConnect', () => end(socket.getPeerCertificate().fingerprint256));
  });
}

/** Whether the disk has room for cache.disk; the space in use is known only while the cache serves. */
async function room(
  config: EffectiveConfig,
  path: string,
  report: CacheReport | undefined,
): Promise<readonly Finding[]> {
  const trouble = report?.store.trouble;
  if (trouble && trouble.state !== 'short')
    return [faulty(`the cache stores nothing new: ${trouble.what} (${trouble.reason})`, trouble.cure)];
  const budget = config.bytes('cache.disk');
  if (budget === 0) return [well('the cache stores responses in memory only (cache.disk is 0)')];
  const disk = await statfs(path).catch(() => undefined);
  if (disk === undefined) return [];
  const free = disk.bavail * disk.bsize;
  if (report === undefined)
    return [well(`the cache may use ${size(budget)} of disk (cache.disk); ${size(free)} are free there`)];
  const used = report.store.diskBytes;
  const whole = Math.max(0, used + free);
  return whole >= budget
    ? [well(`the cache uses ${size(used)} of its ${size(budget)} of disk; ${size(free)} are free there`)]
    : [
        faulty(
          `the cache uses ${size(used)} of its ${size(budget)} of disk, but only ${size(free)} are free there`,
          `free disk space, or set cache.disk to less than ${size(whole)}`,
        ),
      ];
}
