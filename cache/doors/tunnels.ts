import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AddressGuard } from '../../fetch/index.ts';
import { failure, type GarnerError, isGarnerError } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import type { PeerRouter } from '../requests/index.ts';
import { connectingTooLong, guardedLookup, upstreamError } from '../upstream/index.ts';
import { portRange } from './access.ts';
import { throughParent } from './parent-tunnel.ts';
import { carry, onDisconnect, type TunnelLimits } from './tunnel.ts';

export interface TunnelOptions {
  /** Ports or ranges of ports; 443 when absent. */
  readonly ports?: readonly string[];
  /** Refuses private addresses that the operator has not named. */
  readonly guard: AddressGuard;
  readonly connectTimeoutMs?: number;
  /** How long an origin may take to accept an upgrade. */
  readonly silenceMs?: number;
  /** Max tunnels and upgraded connections. */
  readonly maxTunnels?: number;
  readonly limits?: Partial<TunnelLimits>;
  /** Chooses the parents of a tunnel; a direct connection when absent. */
  readonly router?: PeerRouter;
}

/** Via of the client's request, and this cache's own name. */
export interface TunnelAsking {
  readonly via: readonly string[];
  readonly pseudonym: string;
}

export interface TunnelPlace {
  readonly host: string;
  readonly port: number;
}

const defaultLimits: TunnelLimits = {
  tunnelIdleMs: 300_000,
  tunnelMaxMs: 24 * 3_600_000,
  tunnelMaxBytes: 64 * 2 ** 30,
};

/** The tunnels of a door: CONNECT (RFC 9110 9.3.6), and connections that left HTTP. */
export class Tunnels {
  readonly #guard: AddressGuard;
  readonly #ports: readonly (readonly [number, number])[];
  readonly #connectTimeoutMs: number;
  readonly #silenceMs: number;
  readonly #maxTunnels: number;
  readonly #router: PeerRouter | undefined;
  readonly #limits: TunnelLimits;
  readonly #open = new Set<Duplex>();
  #waiting = 0;
  #opened = 0;

  constructor(options: TunnelOptions) {
    this.#guard = options.guard;
    this.#ports = (options.ports ?? ['443']).map(portRange);
    this.#connectTimeoutMs = options.connectTimeoutMs ?? 10_000;
    this.#silenceMs = options.silenceMs ?? 60_000;
    this.#maxTunnels = options.maxTunnels ?? 1024;
    this.#router = options.router;
    this.#limits = { ...defaultLimits, ...options.limits };
  }

  /** Open tunnels and those being opened. */
  get count(): number {
    return this.#open.size + this.#waiting;
  }

  get open(): number {
    return this.#open.size;
  }

  get opened(): number {
    return this.#opened;
  }

  /** The target of a CONNECT, or the error that refuses it. */
  place(request: IncomingMessage): TunnelPlace | GarnerError {
    const target = request.url ?? '';
    const [, bracketed, plain, digits] =
      /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253})):(\d{1,5})$/i.exec(target) ?? [];
    const host = (bracketed ?? plain)?.toLowerCase();
    const port = Number(digits);
    if (host === undefined || port < 1 || port > 65_535)
      return failure(cacheErrors.CACHE_BAD_REQUEST, { problem: 'CONNECT needs host:port' });
    const place = { host, port };
    if (!this.#ports.some(([first, last]) => port >= first && port <= last))
      return refused(place, `port ${port} is not permitted`);
    if (this.count >= this.#maxTunnels) return failure(cacheErrors.CACHE_BUSY, {});
    return place;
  }

  /** Open a tunnel for a client and carry it to its end. Rejects as `Upstream.send` does when there is none. */
  async openFor(client: Duplex, head: Buffer, place: TunnelPlace, asking: TunnelAsking): Promise<number> {
    this.#waiting += 1;
    const leaving = new AbortController();
    const { host, port } = place;
    const url = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const left = () =>
      leaving.abort(failure(cacheErrors.CACHE_BROKEN_OFF, { url, why: 'the client disconnected' }));
    const stop = onDisconnect(client, head, left);
    let way: Way;
    try {
      way = await this.#find(url, place, { ...asking, signal: leaving.signal });
    } finally {
      stop();
      this.#waiting -= 1;
    }
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (way.first.length > 0) client.write(way.first);
    if (head.length > 0) way.socket.write(head);
    return this.carry(client, way.socket);
  }

  async carry(client: Duplex, server: Duplex): Promise<number> {
    this.#open.add(client);
    this.#opened += 1;
    try {
      return await carry(client, server, this.#limits);
    } finally {
      this.#open.delete(client);
    }
  }

  /** Carry a connection that `ask` has upgraded; `first` has the bytes that the client already sent. */
  async carryUpgrade(
    client: Duplex,
    ask: (guard: AddressGuard, timeoutMs: number) => Promise<Duplex | undefined>,
    first: Buffer,
  ): Promise<number> {
    if (this.count >= this.#maxTunnels) throw failure(cacheErrors.CACHE_BUSY, {});
    this.#waiting += 1;
    let server: Duplex | undefined;
    try {
      server = await ask(this.#guard, this.#silenceMs);
    } finally {
      this.#waiting -= 1;
    }
    if (server === undefined) return 0;
    if (first.length > 0) server.write(first);
    return this.carry(client, server);
  }

  closeAll(): void {
    for (const client of this.#open) client.destroy();
  }

  /** The first route that works. Rejects with the last error. */
  async #find(url: string, place: TunnelPlace, asking: TunnelAsking & { signal: AbortSignal }): Promise<Way> {
    const { signal } = asking;
    const question = { method: 'CONNECT', url: `https://${url}/`, fields: [], fromCache: false, signal };
    const routes = (await this.#router?.routes(question)) ?? [{ to: 'origin' as const }];
    let last: unknown = failure(cacheErrors.CACHE_UNREACHABLE, { url, why: 'there is no route to it' });
    for (const route of routes) {
      try {
        if (route.to === 'origin') return await this.#connect(url, place, signal);
        const timeoutMs = this.#connectTimeoutMs;
        const way = await throughParent(route, { ...asking, place: url, timeoutMs });
        this.#router?.outcome(route, 'answered');
        return way;
      } catch (error) {
        last = error;
        if (signal.aborted) break;
        const answered = isGarnerError(error, cacheErrors.CACHE_TUNNEL_REFUSED);
        this.#router?.outcome(route, answered ? 'answered' : 'failed');
      }
    }
    throw last;
  }

  async #connect(url: string, place: TunnelPlace, signal: AbortSignal): Promise<Way> {
    const lookup = guardedLookup(url, place.host, place.port, this.#guard);
    const socket = connect({ ...place, lookup, allowHalfOpen: true, noDelay: true });
    const timer = setTimeout(() => socket.destroy(connectingTooLong(url)), this.#connectTimeoutMs);
    const left = () => socket.destroy(signal.reason);
    signal.addEventListener('abort', left, { once: true });
    try {
      await once(socket, 'connect');
      return { socket, first: Buffer.alloc(0) };
    } catch (error) {
      throw upstreamError(url, error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', left);
    }
  }
}

/** A connection to a place, and the bytes that it already delivered. */
interface Way {
  readonly socket: Duplex;
  readonly first: Buffer;
}

function refused({ host, port }: TunnelPlace, why: string): GarnerError {
  return failure(cacheErrors.CACHE_TUNNEL_REFUSED, { place: `${host}:${port}`, why });
}
