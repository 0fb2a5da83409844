import { lookup as systemLookup } from 'node:dns/promises';
import { isIPv4, isIPv6 } from 'node:net';
import { type Clock, failure, type Random, systemClock, systemRandom } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { peerChanged } from '../events.ts';
import type { CacheAnswer, PeerRouter } from '../requests/index.ts';
import { httpDate } from '../rules/index.ts';
import type { CacheDigest } from './digest.ts';
import { followDigest, keepOwnDigest } from './digest-exchange.ts';
import { type DigestFetch, digestPath } from './digest-fetch.ts';
import { HtcpDoor } from './htcp-door.ts';
import type { HtcpKey } from './htcp-signature.ts';
import { IcpDoor } from './icp-door.ts';
import { type Contents, OwnDigest } from './own-digest.ts';
import { Peer, type PeerConfig, type PeerStatus } from './peer.ts';
import type { PeerLookup } from './peer-lookup-model.ts';
import { awaitReachable, type PeerProbe, reachable } from './peer-probe.ts';
import { PeerRounds } from './peer-rounds.ts';
import { HierarchyRouter, type RoutingRules } from './peer-router.ts';
import { maxPeers, PeerSet } from './peer-set.ts';
import { plainAddress, sourceList } from './source-list.ts';
import type { DoorCounts } from './udp-door.ts';
import { ownAddressFor, type UdpPlace } from './udp-socket.ts';

export interface PeersOptions extends Partial<RoutingRules> {
  readonly peers: readonly PeerConfig[];
  /** Address for datagrams; all of IPv4 when absent. */
  readonly host?: string;
  /** UDP port of ICP; 0 is any free port. When absent, ICP is off unless a peer must be queried. */
  readonly icpPort?: number;
  readonly htcpPort?: number;
  /** Addresses that may query besides the peers: `all`, `loopback`, addresses, networks. Loopback when absent. */
  readonly askFrom?: readonly string[];
  /** Addresses that may remove objects by HTCP, besides peers with `mayClear`. */
  readonly clearFrom?: readonly string[];
  readonly htcpKeys?: ReadonlyMap<string, string>;
  readonly lookup: PeerLookup;
  /** Remove what is stored for a URL; returns whether there was anything. */
  readonly clear: (url: string) => boolean | Promise<boolean>;
  /** False while the store is being loaded. */
  readonly ready?: () => boolean;
  /** Max wait for answers; 2000 when absent, as in Harvest. */
  readonly timeoutMs?: number;
  /** Lets the origin join the race with peers: see `originProbe`. */
  readonly probeOrigin?: (url: string, signal: AbortSignal) => Promise<void>;
  /** Max time until it does so; 0 when absent. */
  readonly raceAfterMs?: number;
  /** The contents of our digest; without it there is none. */
  readonly contents?: Contents;
  readonly fetchDigest?: DigestFetch;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Addresses of a host; empty when it has none. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  readonly reachable?: PeerProbe;
}

/** Interval of the look-ups of peers' addresses, and the shorter one while there are none. */
const addressMs = 300_000;
const retryAddressMs = 10_000;
const headerAloneMs = 100;

const systemResolve = async (host: string) =>
  (await systemLookup(host, { all: true }).catch(() => [])).map(({ address }) => address);

/** The cooperation of a cache with its peers: their state, and the routes of misses. */
export class Peers implements AsyncDisposable {
  readonly router: PeerRouter;
  readonly #options: PeersOptions;
  readonly #set = new PeerSet();
  readonly #clock: Clock;
  readonly #rounds: PeerRounds;
  readonly #digest: OwnDigest | undefined;
  readonly #ends = new Map<Peer, AbortController>();
  readonly #closing = new AbortController();
  readonly #work = new Set<Promise<void>>();
  #mayAsk: (address: string) => boolean = () => false;
  #icp: IcpDoor | undefined;
  #htcp: HtcpDoor | undefined;

  constructor(options: PeersOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#digest = options.contents && new OwnDigest(options.contents, this.#clock);
    this.#rounds = new PeerRounds({
      ask: (peer, url, fields, answered) => {
        const { config } = peer;
        const address = this.#udpAddress(peer) ?? '';
        if (config.htcpPort && this.#htcp)
          return this.#htcp.ask(url, fields, { address, port: config.htcpPort }, answered);
        return this.#icp?.ask(url, { address, port: config.icpPort ?? 0 }, answered) ?? (() => {});
      },
      // Where origins cannot be reached they do not join a race.
      probeOrigin: options.neverDirect ? undefined : options.probeOrigin,
      raceAfterMs: options.raceAfterMs,
      clock: this.#clock,
      timeoutMs: options.timeoutMs ?? 2000,
    });
    const { neverDirect = false, preferDirect = false, localDomains = [], stoplist = ['cgi-bin'] } = options;
    const rules = { neverDirect, preferDirect, localDomains, stoplist };
    this.router = new HierarchyRouter(this.#set, this.#rounds, rules, {
      failed: (peer) => this.#failed(peer),
      clock: this.#clock,
    });
  }

  async open(): Promise<void> {
    const { peers, lookup, clear, host = '0.0.0.0', ready = () => true } = this.#options;
    const clock = this.#clock;
    const random = this.#options.random ?? systemRandom;
    const askers = sourceList(this.#options.askFrom ?? ['loopback']);
    const clearers = sourceList(this.#options.clearFrom ?? []);
    const mayAsk = (address: string) => askers.has(address) || this.isPeer(address);
    this.#mayAsk = mayAsk;
    const mayClear = (place: UdpPlace) =>
      clearers.has(place.address) || this.#speaking(place).some(({ config }) => config.mayClear);
    const { icpPort, htcpPort } = this.#options;
    const common = { host, lookup, mayAsk, clock, random };
    if (icpPort !== undefined || peers.some((peer) => peer.icpPort))
      this.#icp = await opened({ host, port: icpPort ?? 0, protocol: 'icp' }, ({ port }) =>
        IcpDoor.open({ ...common, port, ready }),
      );
    if (htcpPort !== undefined || peers.some((peer) => peer.htcpPort))
      this.#htcp = await opened({ host, port: htcpPort ?? 0, protocol: 'htcp' }, ({ port }) =>
        HtcpDoor.open({ ...common, port, mayClear, clear, keyFor: (place) => this.#signing(place) }),
      );
    await Promise.all(peers.map((peer) => this.add(peer)));
    if (this.#digest) this.#do(keepOwnDigest(this.#digest, { clock, signal: this.#closing.signal }));
  }

  /** The UDP port of ICP, 0 when it is off. */
  get icpPort(): number {
    return this.#icp?.port ?? 0;
  }

  get htcpPort(): number {
    return this.#htcp?.port ?? 0;
  }

  /** Add a peer. Rejects with CACHE_PEER when there is one at that place, or of that name. */
  async add(config: PeerConfig): Promise<void> {
    const { htcpKey, htcpPort, name = `${config.host}:${config.port}` } = config;
    if (htcpKey !== undefined && (!htcpPort || !this.#options.htcpKeys?.has(htcpKey)))
      throw failure(cacheErrors.CACHE_PEER, {
        peer: name,
        why: htcpPort ? `there is no key ${htcpKey}` : 'it has a key, but no HTCP port',
      });
    const peer: Peer = new Peer(config, (state) =>
      peerChanged.publish({ name: peer.name, role: peer.role, state }),
    );
    if (!this.#set.add(peer))
      throw failure(cacheErrors.CACHE_PEER, {
        peer: peer.name,
        why: `there is already one at that place or of that name, or there are already ${maxPeers}`,
      });
    const end = new AbortController();
    this.#ends.set(peer, end);
    const found = await this.#resolve(peer);
    this.#do(this.#follow(peer, end.signal, found));
    const fetch = this.#options.fetchDigest;
    if (config.digest && fetch)
      this.#do(followDigest(peer, { fetch, clock: this.#clock, signal: end.signal }));
  }

  remove(host: string, port: number): void {
    const peer = this.#set.at(host, port);
    if (!peer) return;
    this.#set.remove(peer);
    this.#ends.get(peer)?.abort();
    this.#ends.delete(peer);
  }

  status(): readonly PeerStatus[] {
    return this.#set.all().map((peer) => peer.status());
  }

  /** Datagram counts of the protocols in use. */
  counts(): { readonly icp?: DoorCounts; readonly htcp?: DoorCounts & { readonly cleared: number } } {
    return {
      ...(this.#icp && { icp: this.#icp.counts() }),
      ...(this.#htcp && { htcp: this.#htcp.counts() }),
    };
  }

  stored(url: string): void {
    this.#digest?.stored(url);
  }

  isPeer(address: string): boolean {
    return this.#set.withAddress(plainAddress(address)).length > 0;
  }

  /** Have all peers that speak HTCP remove a URL; returns their number. */
  clear(url: string): number {
    let sent = 0;
    for (const peer of this.#set.all()) {
      const { config } = peer;
      const address = this.#udpAddress(peer);
      if (!config.htcpPort || address === undefined || this.#htcp === undefined) continue;
      this.#htcp.clear(url, { address, port: config.htcpPort });
      sent++;
    }
    return sent;
  }

  /**
   * The answer to a request for our digest; undefined for any other request. The target is a path, or a URL
   * whose authority must be one of ours: another cache's digest is an object like any other. Clients that may
   * not query by ICP do not get it: it shows what is stored.
   */
  digestAnswer(
    { method, target, clientAddress }: Record<'method' | 'target' | 'clientAddress', string>,
    authorities: ReadonlySet<string>,
  ): CacheAnswer | undefined {
    if ((method !== 'GET' && method !== 'HEAD') || !target.endsWith(digestPath)) return undefined;
    const authority = /^http:\/\/([^/]+)(\/.*)$/.exec(target);
    const path = authority ? authority[2] : target;
    if (path !== digestPath || (authority && !authorities.has(authority[1] ?? ''))) return undefined;
    const current = this.#digest?.current();
    if (!this.#mayAsk(plainAddress(clientAddress)))
      return { status: 403, reason: 'Forbidden', fields: [], contentLength: 0 };
    if (!current) return { status: 404, reason: 'Not Found', fields: [], contentLength: 0 };
    const { digest, madeMs, untilMs } = current;
    const date = (ms: number) => httpDate(Math.floor(ms / 1000));
    const fields = [
      ...['Content-Type', 'application/cache-digest'],
      ...['Date', date(this.#clock.now()), 'Last-Modified', date(madeMs), 'Expires', date(untilMs)],
    ];
    const head = { status: 200, reason: 'OK', fields, contentLength: digest.bytes };
    return method === 'HEAD' ? head : { ...head, content: this.#inTwo(digest) };
  }

  /**
   * A digest's header, and its mask a little later: squid (its bug 5510) corrupts the mask beyond its first
   * 128 bytes when it arrives together with the header, and then misses stored URLs.
   */
  async *#inTwo(digest: CacheDigest): AsyncIterable<Uint8Array> {
    const { mask } = digest;
    yield digest.header();
    await this.#clock.sleep(headerAloneMs, this.#closing.signal);
    for (let at = 0; at < mask.length; at += 65_536) yield mask.subarray(at, at + 65_536);
  }

  async renewDigest(): Promise<void> {
    await this.#digest?.renew(this.#closing.signal);
  }

  async #resolve(peer: Peer): Promise<boolean> {
    const addresses = await (this.#options.resolve ?? systemResolve)(peer.config.host);
    peer.resolved(addresses);
    this.#set.addressesChanged();
    const { htcpKey, htcpPort } = peer.config;
    const address = this.#udpAddress(peer);
    if (htcpKey && htcpPort && address !== undefined)
      peer.ownAddress = await ownAddressFor({ address, port: htcpPort }, this.#options.host);
    return addresses.length > 0;
  }

  /** The address for datagrams: a host may have IPv6 addresses that this socket cannot reach. */
  #udpAddress({ addresses }: Peer): string | undefined {
    const hasSix = isIPv6(this.#options.host ?? '');
    return addresses.find((address) => hasSix || isIPv4(address));
  }

  /**
   * The peers that speak HTCP at a place: those with that port, or, from another port, all on that machine.
   * If one of them has a key only that one, since unsigned messages are then invalid.
   */
  #speaking(place: UdpPlace): readonly Peer[] {
    const there = this.#set.withAddress(place.address);
    const exact = there.filter(({ config }) => config.htcpPort === place.port);
    const candidates = exact.length > 0 ? exact : there;
    const withKey = candidates.find(({ config }) => config.htcpKey !== undefined);
    return withKey ? [withKey] : candidates;
  }

  #signing(place: UdpPlace): { readonly key: HtcpKey; readonly ownAddress: string } | undefined {
    const [peer] = this.#speaking(place);
    const name = peer?.config.htcpKey;
    if (peer === undefined || name === undefined) return undefined;
    const secret = this.#options.htcpKeys?.get(name) ?? '';
    return { key: { name, secret }, ownAddress: peer.ownAddress };
  }

  async #follow(peer: Peer, signal: AbortSignal, first: boolean): Promise<void> {
    let found = first;
    while (!signal.aborted) {
      await this.#clock.sleep(found ? addressMs : retryAddressMs, signal).catch(() => {});
      if (!signal.aborted) found = await this.#resolve(peer);
    }
  }

  #failed(peer: Peer): void {
    const signal = this.#ends.get(peer)?.signal;
    if (!signal || this.#tried.has(peer)) return;
    this.#tried.add(peer);
    const options = { reachable: this.#options.reachable ?? reachable, clock: this.#clock, signal };
    this.#do(awaitReachable(peer, options).finally(() => this.#tried.delete(peer)));
  }

  readonly #tried = new Set<Peer>();

  #do(work: Promise<void>): void {
    const done = work.finally(() => this.#work.delete(done));
    this.#work.add(done);
  }

  /** Close the doors and end all tasks. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    for (const end of this.#ends.values()) end.abort();
    this.#rounds[Symbol.dispose]();
    await Promise.all([
      this.#icp?.[Symbol.asyncDispose](),
      this.#htcp?.[Symbol.asyncDispose](),
      ...this.#work,
    ]);
  }
}

/**
 * Start the cooperation with other caches. Rejects with CACHE_PEER for two peers at one place, CACHE_SOURCE,
 * CACHE_UDP_PORT.
 */
export async function openPeers(options: PeersOptions): Promise<Peers> {
  const peers = new Peers(options);
  try {
    await peers.open();
  } catch (error) {
    await peers[Symbol.asyncDispose]();
    throw error;
  }
  return peers;
}

async function opened<Door>(
  place: { readonly host: string; readonly port: number; readonly protocol: 'icp' | 'htcp' },
  open: (place: { readonly port: number }) => Promise<Door>,
): Promise<Door> {
  try {
    return await open(place);
  } catch (error) {
    const { host: address, port, protocol } = place;
    const isInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    const why = error instanceof Error ? error.message : String(error);
    const reason = isInUse ? 'it is already in use' : why;
    throw failure(cacheErrors.CACHE_UDP_PORT, { address, port, reason, protocol }, error);
  }
}
