import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AddressGuard } from '../../fetch/index.ts';
import { failure, type GarnerError } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { upstreamError } from '../upstream-errors.ts';
import { guardedLookup } from '../upstream-target.ts';
import { portRange } from './access.ts';
import { carry, type TunnelLimits } from './tunnel.ts';

/** Where tunnels may lead and what they may take. */
export interface TunnelOptions {
  /** Ports or runs of ports; 443 when absent. */
  readonly ports?: readonly string[];
  /** Refuses private addresses that the operator did not name. */
  readonly guard: AddressGuard;
  readonly connectTimeoutMs?: number;
  /** How long an origin may take to agree to another protocol. */
  readonly silenceMs?: number;
  /** Tunnels and upgraded connections at once. */
  readonly maxTunnels?: number;
  readonly limits?: Partial<TunnelLimits>;
}

/** A place that a tunnel was asked for. */
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
  readonly #limits: TunnelLimits;
  readonly #open = new Set<Duplex>();
  #waiting = 0;

  constructor(options: TunnelOptions) {
    this.#guard = options.guard;
    this.#ports = (options.ports ?? ['443']).map(portRange);
    this.#connectTimeoutMs = options.connectTimeoutMs ?? 10_000;
    this.#silenceMs = options.silenceMs ?? 60_000;
    this.#maxTunnels = options.maxTunnels ?? 1024;
    this.#limits = { ...defaultLimits, ...options.limits };
  }

  /** Tunnels that carry or are being opened. */
  get count(): number {
    return this.#open.size + this.#waiting;
  }

  /** The place that a CONNECT asks for, or why there is no tunnel to it. */
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
      return refused(place, `port ${port} is not among those it may use`);
    if (this.count >= this.#maxTunnels) return failure(cacheErrors.CACHE_BUSY, {});
    return place;
  }

  /** Open a tunnel for a client and carry it to its end. Throws as `Upstream.send` does when there is none. */
  async open(client: Duplex, head: Buffer, place: TunnelPlace): Promise<number> {
    this.#waiting += 1;
    let server: Socket;
    try {
      server = await this.#connect(client, place);
    } finally {
      this.#waiting -= 1;
    }
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) server.write(head);
    return this.carry(client, server);
  }

  /** Carry two connections that are open on both sides. */
  async carry(client: Duplex, server: Duplex): Promise<number> {
    this.#open.add(client);
    try {
      return await carry(client, server, this.#limits);
    } finally {
      this.#open.delete(client);
    }
  }

  /** Carry a connection that `ask` turned into another protocol; `first` is what the client said already. */
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

  /** Cut every tunnel. */
  closeAll(): void {
    for (const client of this.#open) client.destroy();
  }

  #connect(client: Duplex, place: TunnelPlace): Promise<Socket> {
    const url = `${place.host.includes(':') ? `[${place.host}]` : place.host}:${place.port}`;
    return new Promise((resolve, reject) => {
      let lookup: ReturnType<typeof guardedLookup>;
      try {
        lookup = guardedLookup(url, place.host, place.port, this.#guard);
      } catch (error) {
        return reject(error);
      }
      const socket = connect({ ...place, lookup, allowHalfOpen: true, noDelay: true });
      const silent = failure(cacheErrors.CACHE_SILENT, { url, why: 'connecting took too long' });
      const timer = setTimeout(() => socket.destroy(silent), this.#connectTimeoutMs);
      const left = () =>
        socket.destroy(failure(cacheErrors.CACHE_BROKEN_OFF, { url, why: 'the client left' }));
      client.once('close', left);
      const settled = () => {
        clearTimeout(timer);
        client.off('close', left);
      };
      const failed = (error: Error) => {
        settled();
        reject(upstreamError(url, error));
      };
      socket.once('error', failed);
      socket.once('connect', () => {
        settled();
        socket.off('error', failed);
        resolve(socket);
      });
    });
  }
}

function refused({ host, port }: TunnelPlace, why: string): GarnerError {
  return failure(cacheErrors.CACHE_TUNNEL_REFUSED, { place: `${host}:${port}`, why });
}
