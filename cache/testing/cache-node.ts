import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { type HttpDoor, openHttpDoor } from '../doors/http-door.ts';
import { digestFetch } from '../peers/digest-fetch.ts';
import { openPeers, type Peers, type PeersOptions } from '../peers/open-peers.ts';
import type { PeerConfig } from '../peers/peer.ts';
import type { UpstreamRequest } from '../requests/request-response.ts';
import { defaultPolicy } from '../rules/policy.ts';
import { type OpenedCache, openCache } from '../serving/open-cache.ts';
import { peerLookup } from '../serving/peer-lookup.ts';
import { openUpstream } from '../upstream/upstream.ts';

/** Where our nodes are: not where squid is, since it takes no datagrams from its own address. */
export const ourHost = '127.0.0.2';

/** The answer of a client. */
export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Ask a proxy for a URL. */
export function through(
  proxy: { readonly host: string; readonly port: number },
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest({
      host: proxy.host,
      port: proxy.port,
      path: url,
      headers: { Host: new URL(url).host, ...headers },
      agent: false,
    });
    asked.once('error', reject);
    asked.once('response', (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(pieces).toString('latin1'),
        }),
      );
    });
    asked.end();
  });
}

/**
 * An origin whose objects are fresh for ten minutes, below /vary/ each in the requested language, and which counts the
 * requests for each.
 */
export class CountingOrigin implements AsyncDisposable {
  readonly #server: Server;
  readonly #counts = new Map<string, number>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<CountingOrigin> {
    const server = createServer();
    const origin = new CountingOrigin(server);
    server.on('request', (request, response) => {
      const path = request.url ?? '';
      origin.#counts.set(path, origin.count(path) + 1);
      response.writeHead(200, {
        'Content-Type': 'text/plain',
        'Cache-Control': 'max-age=600',
        'Last-Modified': 'Mon, 05 Jan 2026 12:00:00 GMT',
        ...(path.startsWith('/vary/') && { Vary: 'Accept-Language' }),
      });
      const language = path.startsWith('/vary/') ? (request.headers['accept-language'] ?? '') : '';
      response.end(`content of ${path}${language}`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return origin;
  }

  get place(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  url(path: string): string {
    return `${this.place}${path}`;
  }

  count(path: string): number {
    return this.#counts.get(path) ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** One of our caches as a proxy with peers, and what it sent upstream. */
export class CacheNode implements AsyncDisposable {
  readonly peers: Peers;
  readonly opened: OpenedCache;
  readonly door: HttpDoor;
  /** `METHOD URL to because` for each request that went on. */
  readonly sent: readonly string[];
  /** Targets of requests for its digest. */
  readonly own: readonly string[];
  readonly #rest: AsyncDisposable;

  private constructor(
    parts: { readonly peers: Peers; readonly opened: OpenedCache; readonly door: HttpDoor },
    { sent, own }: { readonly sent: readonly string[]; readonly own: readonly string[] },
    rest: AsyncDisposable,
  ) {
    this.peers = parts.peers;
    this.opened = parts.opened;
    this.door = parts.door;
    this.sent = sent;
    this.own = own;
    this.#rest = rest;
  }

  static async open(
    name: string,
    allowHosts: readonly string[],
    peers: readonly PeerConfig[] = [],
    more: Partial<PeersOptions> & { readonly silenceMs?: number } = {},
  ): Promise<CacheNode> {
    const host = more.host ?? ourHost;
    const [clock, random] = [systemClock, systemRandom];
    const { silenceMs } = more;
    const real = openUpstream({ allowHosts, ...(silenceMs !== undefined && { silenceMs }) });
    const sent: string[] = [];
    const own: string[] = [];
    const upstream = {
      send: (request: UpstreamRequest) => {
        const { method, url, route } = request;
        sent.push(`${method} ${url} ${route.to}${route.to === 'origin' ? '' : ` ${route.because}`}`);
        return real.send(request);
      },
      [Symbol.asyncDispose]: () => real[Symbol.asyncDispose](),
    };
    // The router is wanted before the store is open, the store before anybody can be answered.
    let opened: OpenedCache | undefined;
    const lookup = () => opened && peerLookup(opened.store, defaultPolicy, clock);
    const opening = await openPeers({
      icpPort: 0,
      htcpPort: 0,
      askFrom: ['loopback'],
      lookup: {
        has: (url) => lookup()?.has(url) ?? false,
        isFresh: (url, fields, seconds) => lookup()?.isFresh(url, fields, seconds) ?? false,
      },
      clear: async (url) => ((await opened?.store.purge({ url }, { soft: false })) ?? 0) > 0,
      ready: () => opened !== undefined,
      contents: {
        entries: () => opened?.store.statistics().entries ?? 0,
        keys: () => opened?.store.keys() ?? (async function* () {})(),
      },
      fetchDigest: digestFetch(real, clock),
      ...more,
      peers,
      host,
    });
    opened = await openCache({
      name,
      memoryBytes: 16e6,
      diskBytes: 0,
      largestEntryBytes: 1e6,
      policy: defaultPolicy,
      collapseWaitMs: 5000,
      upstream,
      router: opening.router,
      clock,
      random,
    });
    const { cache } = opened;
    const ours = new Set<string>();
    const door = await openHttpDoor({
      host,
      port: 0,
      clock,
      pseudonym: name,
      proxy: true,
      isPeer: (address) => opening.isPeer(address),
      own: (request) => {
        const answer = opening.digestAnswer(request, ours);
        if (answer !== undefined) own.push(request.target);
        return answer;
      },
      answer: (request) => cache.answer(request),
      fault: (error) => {
        throw error;
      },
    });
    ours.add(`${host}:${door.port}`);
    return new CacheNode({ peers: opening, opened, door }, { sent, own }, real);
  }

  get place(): { readonly host: string; readonly port: number } {
    return { host: this.door.host, port: this.door.port };
  }

  /** Where a miss would go first, as `to because`. */
  async leadsTo(url: string): Promise<string | undefined> {
    const { signal } = new AbortController();
    const routes = await this.peers.router.routes({
      method: 'GET',
      url,
      fields: [],
      fromCache: false,
      signal,
    });
    const first = routes[0];
    return first && (first.to === 'origin' ? 'origin' : `${first.to} ${first.because}`);
  }

  get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Got> {
    return through(this.place, url, headers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.peers[Symbol.asyncDispose]();
    await this.door[Symbol.asyncDispose]();
    await this.#rest[Symbol.asyncDispose]();
    await this.opened[Symbol.asyncDispose]();
  }
}
