import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../../kernel/index.ts';
import { hitGiven } from '../../events.ts';
import { type QueryRules, secureKey } from '../../rules/index.ts';
import type { AccessRules } from '../access.ts';
import type { ClientSlots } from '../client-slots.ts';
import type { ConnectionSlots } from '../connection-slots.ts';
import type { DoorLimits } from '../door-limits.ts';
import { forwardedScheme, type Scheme } from '../forwarding-fields.ts';
import type { IgnoredCookies } from '../ignored-cookies.ts';
import { placeOf } from '../max-forwards.ts';
import { isOtherPeer } from '../other-peer.ts';
import { isHost } from '../request-head.ts';
import { type AcceleratedHosts, keyPrefix } from '../request-key.ts';
import { HeadScanner } from './head-scanner.ts';
import { type Lane, LaneConnection } from './lane-connection.ts';
import type { LaneReply } from './lane-reply.ts';
import { cookieField, forwardedField, forwardedProtoField } from './plain-fields.ts';
import type { ReadyAnswer, ReadyAnswers, RequestValues } from './ready-answer.ts';
import { SlowSide } from './slow-side.ts';

export interface FastLaneOptions {
  /** A door's HTTP server with its listeners. Another server gets connections and sides in the same way. */
  readonly server: Server;
  /** The event of a new connection: over TLS after the handshake. */
  readonly event?: 'connection' | 'secureConnection';
  readonly clock: Clock;
  readonly ready: ReadyAnswers;
  /** Answers requests without content that are not prebuilt; when absent, the server gets such heads one by one. */
  readonly serve?: (reply: LaneReply) => void;
  readonly proxy?: boolean;
  readonly accelerator?: AcceleratedHosts;
  /** The door's option: whether origins get the client's protocol; true when absent. */
  readonly forwarded?: boolean;
  /** The door's option: cookies that do not distinguish accelerated responses. */
  readonly ignoredCookies?: IgnoredCookies;
  /** The key of a URL by its query; its own when absent. */
  readonly queries?: Pick<QueryRules, 'keyOf'>;
  /** The door's option; everything is permitted when absent. */
  readonly access?: Pick<AccessRules, 'admits'>;
  /** The server answers caches that send requests to us, to count them. */
  readonly isPeer?: (address: string) => boolean;
  /** The door's slots: a connection counts once, wherever it is. */
  readonly connections: Pick<ConnectionSlots, 'take' | 'fallback'>;
  /** The server refuses clients with too many requests in flight. */
  readonly requests?: Pick<ClientSlots, 'hasRoom'>;
  readonly counts?: LaneCounts;
  readonly limits: Pick<
    DoorLimits,
    'maxHeadBytes' | 'headTimeoutMs' | 'keepAliveMs' | 'stallMs' | 'closeGraceMs'
  >;
}

/** The options of a lane besides those of its door. */
export type LaneParts = Pick<FastLaneOptions, 'ready' | 'counts' | 'queries'>;

export interface LaneCounts {
  /** A fine clock, with any zero. */
  elapsedMs(): number;
  /** `times` requests were answered, each within `ms` milliseconds after it arrived. */
  hits(times: number, ms: number): void;
}

/** A fast lane before a server. Disposing closes its connections, idle ones first, and restores it. */
export interface FastLane extends AsyncDisposable {
  /** Requests answered in the lane, and bytes written for them. */
  readonly answered: { readonly requests: number; readonly bytes: number };
  readonly connections: number;
  /** Give the server a connection that was read elsewhere. */
  give(connection: Duplex): void;
}

const maxHosts = 1024;

/**
 * Put a fast lane before a server: it reads the connections first. Plain requests with a prebuilt answer are
 * answered at once. Other requests with an unambiguous end go to `serve`, or to the server one by one. A
 * connection with anything else goes to the server, with every byte that was read.
 */
export function openFastLane(options: FastLaneOptions): FastLane {
  return new OpenLane(options);
}

class OpenLane implements Lane, FastLane {
  readonly answered = { requests: 0, bytes: 0 };
  readonly headTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly stallMs: number;
  readonly scanner: HeadScanner;
  readonly serve: ((reply: LaneReply) => void) | undefined;
  readonly #event: 'connection' | 'secureConnection';
  readonly #options: FastLaneOptions;
  readonly #server: Server;
  readonly #connections = new Set<LaneConnection>();
  /** Given to the server for good; a connection whose upgrade was declined arrives again. */
  readonly #given = new WeakSet<Duplex>();
  /** The server's own listeners for connections. */
  readonly #takers: readonly ((...args: unknown[]) => void)[];
  readonly #prefixes = { http: new Map<string, string>(), https: new Map<string, string>() };
  #closed = false;
  #onEmpty: (() => void) | undefined;

  constructor(options: FastLaneOptions) {
    const { server, limits } = options;
    this.#options = options;
    this.#server = server;
    this.serve = options.serve;
    this.headTimeoutMs = limits.headTimeoutMs;
    this.keepAliveMs = limits.keepAliveMs;
    this.stallMs = limits.stallMs;
    this.scanner = new HeadScanner(limits.maxHeadBytes);
    this.#event = options.event ?? 'connection';
    this.#takers = server.listeners(this.#event) as ((...args: unknown[]) => void)[];
    server.removeAllListeners(this.#event);
    server.on(this.#event, this.#welcome);
    SlowSide.watch(server);
  }

  get connections(): number {
    return this.#connections.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#server.off(this.#event, this.#welcome);
    for (const taker of this.#takers) this.#server.on(this.#event, taker);
    for (const connection of this.#connections) connection.end();
    if (this.#connections.size > 0) {
      const waiting = new AbortController();
      const { clock, limits } = this.#options;
      this.#onEmpty = () => waiting.abort();
      await clock.sleep(limits.closeGraceMs, waiting.signal).catch(() => undefined);
    }
    for (const connection of this.#connections) connection.cut();
  }

  urlOf(head: HeadScanner): string | undefined {
    const url = this.#wholeUrlOf(head);
    const { queries } = this.#options;
    return url === undefined || queries === undefined ? url : queries.keyOf(url);
  }

  #wholeUrlOf(head: HeadScanner): string | undefined {
    if (head.form === 'absolute') {
      if (this.#options.proxy !== true) return undefined;
      // The server maps a host that is accelerated by its name.
      const named = this.#options.accelerator?.namedOriginFor(head.host.toLowerCase());
      return named === undefined ? head.target : undefined;
    }
    const scheme = this.#schemeOf(head);
    const prefix = this.#prefixOf(head.host, scheme);
    if (prefix === '') return undefined;
    const url = prefix + head.target;
    return scheme === 'https' && this.#options.forwarded !== false ? secureKey(url) : url;
  }

  admits(from: string, url: string, { method, form }: HeadScanner): boolean | Promise<boolean> {
    const { access, isPeer } = this.#options;
    if (isOtherPeer(from, isPeer)) return false;
    if (access === undefined) return true;
    return access.admits({ from, method, ...placeOf(url) }, form === 'origin' ? 'accelerator' : 'proxy');
  }

  find(from: string, url: string, head: HeadScanner): ReadyAnswer | undefined {
    const { ready, clock, requests, ignoredCookies } = this.#options;
    if (requests?.hasRoom(from) === false) return undefined;
    const keyed =
      ignoredCookies === undefined || head.form === 'absolute' ? head : withoutCookies(head, ignoredCookies);
    return ready.find(url, keyed, clock.now());
  }

  give(connection: Duplex): void {
    this.#given.add(connection);
    if (connection instanceof SlowSide) this.#options.connections.fallback(connection);
    for (const taker of this.#takers) taker.call(this.#server, connection);
  }

  refuse(connection: Socket, code: string): void {
    // As Node itself does; a listener then owns the connection.
    const error = Object.assign(new Error('not a whole request'), { code });
    if (!this.#server.emit('clientError', error, connection)) connection.destroy();
  }

  get reportsEach(): boolean {
    return hitGiven.isWatched;
  }

  report(clientAddress: string, url: string, method: string, answer: ReadyAnswer): void {
    const { status, decision, contentLength: bytes } = answer;
    hitGiven.publish({ method, url, clientAddress, status, bytes, decision });
  }

  elapsedMs(): number {
    return this.#options.counts?.elapsedMs() ?? 0;
  }

  answeredWith(requests: number, bytes: number, begunMs: number): void {
    this.answered.requests += requests;
    this.answered.bytes += bytes;
    const { counts } = this.#options;
    if (counts !== undefined) counts.hits(requests, counts.elapsedMs() - begunMs);
  }

  left(connection: LaneConnection): void {
    this.#connections.delete(connection);
    if (this.#connections.size === 0) this.#onEmpty?.();
  }

  readonly #welcome = (socket: Socket): void => {
    const address = socket.remoteAddress ?? '';
    // Without a free slot the server refuses it.
    const isOurs = !this.#given.has(socket) && this.#options.connections.take(socket, address) === 'taken';
    if (isOurs) this.#connections.add(new LaneConnection(socket, address, this));
    else this.give(socket);
  };

  /** The client's protocol: that of this door, or as a server in front states it. */
  #schemeOf(head: HeadScanner): Scheme {
    const [proto, forwarded] = [head.value(forwardedProtoField), head.value(forwardedField)];
    const ours = this.#event === 'connection' ? 'http' : 'https';
    if ((proto === undefined && forwarded === undefined) || this.#options.forwarded === false) return ours;
    return forwardedScheme(proto, forwarded) ?? ours;
  }

  /** The prefix of keys at a host; empty for a host that is not accelerated. */
  #prefixOf(host: string, scheme: Scheme): string {
    const known = this.#prefixes[scheme].get(host);
    if (known !== undefined) return known;
    const { accelerator } = this.#options;
    // The server refuses an invalid host, also where every host has an origin.
    const origin = isHost(host) ? accelerator?.originFor(host.toLowerCase()) : undefined;
    const prefix = (origin !== undefined && keyPrefix(origin, host, { accelerator, scheme })) || '';
    if (this.#prefixes[scheme].size >= maxHosts) this.#prefixes[scheme].clear();
    // A copy: a slice of a text keeps all of it in memory.
    this.#prefixes[scheme].set(Buffer.from(host, 'latin1').toString('latin1'), prefix);
    return prefix;
  }
}

function withoutCookies(head: HeadScanner, ignored: IgnoredCookies): RequestValues {
  const cookies = head.value(cookieField);
  const rest = cookies === undefined ? undefined : ignored.rest(cookies);
  return { method: head.method, value: (field) => (field === cookieField ? rest : head.value(field)) };
}
