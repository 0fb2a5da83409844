import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isLoopbackHost } from '../../../fetch/index.ts';
import type { Clock } from '../../../kernel/index.ts';
import { hitGiven } from '../../events.ts';
import { type QueryRules, secureKey } from '../../rules/index.ts';
import type { AccessRules } from '../access.ts';
import type { ClientSlots } from '../client-slots.ts';
import type { ConnectionSlots } from '../connection-slots.ts';
import type { DoorLimits } from '../door-limits.ts';
import { forwardedScheme, type Scheme } from '../forwarded-scheme.ts';
import type { IgnoredCookies } from '../ignored-cookies.ts';
import { placeOf } from '../max-forwards.ts';
import { isHost } from '../request-head.ts';
import { type AcceleratedHosts, keyPrefix } from '../request-key.ts';
import { HeadScanner } from './head-scanner.ts';
import { type Lane, LaneConnection } from './lane-connection.ts';
import type { LaneReply } from './lane-reply.ts';
import { cookieField, forwardedField, forwardedProtoField } from './plain-fields.ts';
import type { ReadyAnswer, ReadyAnswers, RequestValues } from './ready-answer.ts';
import { SlowSide } from './slow-side.ts';

export interface FastLaneOptions {
  /**
   * Node's HTTP server of a door, whole: what it does with a connection must be set up already. Any other server is given
   * connections and sides in the same way.
   */
  readonly server: Server;
  /** How it is told of one: over TLS when the handshake is done. */
  readonly event?: 'connection' | 'secureConnection';
  readonly clock: Clock;
  readonly ready: ReadyAnswers;
  /** Answers what is not ready, whole requests without content; the server is given heads one by one when absent. */
  readonly serve?: (reply: LaneReply) => void;
  /** Whether absolute URLs are taken. */
  readonly proxy?: boolean;
  readonly accelerator?: AcceleratedHosts;
  /** The door's own: whether origins are told how clients came; so when absent. */
  readonly forwarded?: boolean;
  /** The door's own: cookies that tell no accelerated responses apart. */
  readonly ignoredCookies?: IgnoredCookies;
  /** The key of a URL by its query; its own when absent. */
  readonly queries?: Pick<QueryRules, 'keyOf'>;
  /** The door's own; everybody may ask for everything when absent. */
  readonly access?: Pick<AccessRules, 'admits'>;
  /** Caches that ask us are the server's to answer: it counts them. */
  readonly isPeer?: (address: string) => boolean;
  /** The door's own: a connection counts once, wherever it is. */
  readonly connections: Pick<ConnectionSlots, 'take' | 'fallback'>;
  /** Who has as many requests under way as may be is refused by the server. */
  readonly requests?: Pick<ClientSlots, 'hasRoom'>;
  readonly counts?: LaneCounts;
  readonly limits: Pick<
    DoorLimits,
    'maxHeadBytes' | 'headTimeoutMs' | 'keepAliveMs' | 'stallMs' | 'closeGraceMs'
  >;
}

/** What a lane has that its door has not. */
export type LaneParts = Pick<FastLaneOptions, 'ready' | 'counts' | 'queries'>;

/** Counts what a lane answers. */
export interface LaneCounts {
  /** A clock finer than most, from any beginning. */
  elapsedMs(): number;
  /** So many requests were answered, each within so many milliseconds of when it came. */
  hits(times: number, ms: number): void;
}

/** A fast lane before an HTTP server. Disposing ends what is idle in it, cuts the rest, and restores the server. */
export interface FastLane extends AsyncDisposable {
  /** Requests answered in the lane, and bytes written for them. */
  readonly answered: { readonly requests: number; readonly bytes: number };
  /** Connections in the lane now. */
  readonly connections: number;
  /** Have the server take a connection that was read elsewhere. */
  give(connection: Duplex): void;
}

/** Hosts whose prefix is remembered. */
const maxHosts = 1024;

/**
 * Put a fast lane before a server: its connections are read here first. Plain requests whose answer is ready are answered
 * at once; others that end where everybody sees them end are given to whoever serves the lane, or to the server one by one;
 * and a connection on which anything else arrives is the server's, with every byte that was read.
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
  /** Given to the server for good; some come in again when they were offered another protocol. */
  readonly #given = new WeakSet<Duplex>();
  /** What the server does with a connection. */
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
      // A host that is accelerated by its name is mapped by the server.
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
    if (isPeer?.(from) === true && !isLoopbackHost(from)) return false;
    if (access === undefined) return true;
    return access.admits({ from, method, ...placeOf(url) }, form === 'origin' ? 'accelerator' : 'proxy');
  }

  find(from: string, url: string, head: HeadScanner): ReadyAnswer | undefined {
    const { ready, clock, requests, ignoredCookies } = this.#options;
    if (requests?.hasRoom(from) === false) return undefined;
    const asked =
      ignoredCookies === undefined || head.form === 'absolute' ? head : withoutCookies(head, ignoredCookies);
    return ready.find(url, asked, clock.now());
  }

  give(connection: Duplex): void {
    this.#given.add(connection);
    if (connection instanceof SlowSide) this.#options.connections.fallback(connection);
    for (const taker of this.#takers) taker.call(this.#server, connection);
  }

  refuse(connection: Socket, code: string): void {
    // As node does itself; who listens has the connection.
    const error = Object.assign(new Error('not a whole request'), { code });
    if (!this.#server.emit('clientError', error, connection)) connection.destroy();
  }

  get reportsEach(): boolean {
    return hitGiven.isWatched;
  }

  tell(clientAddress: string, url: string, method: string, answer: ReadyAnswer): void {
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
    // Where there is no room the server says so.
    const isOurs = !this.#given.has(socket) && this.#options.connections.take(socket, address) === 'taken';
    if (isOurs) this.#connections.add(new LaneConnection(socket, address, this));
    else this.give(socket);
  };

  /** How a client came: at this door, or as somebody in front says. */
  #schemeOf(head: HeadScanner): Scheme {
    const [proto, forwarded] = [head.value(forwardedProtoField), head.value(forwardedField)];
    const ours = this.#event === 'connection' ? 'http' : 'https';
    if ((proto === undefined && forwarded === undefined) || this.#options.forwarded === false) return ours;
    return forwardedScheme(proto, forwarded) ?? ours;
  }

  /** What URLs at a host begin with, as they are kept; empty for a host that is not accelerated. */
  #prefixOf(host: string, scheme: Scheme): string {
    const known = this.#prefixes[scheme].get(host);
    if (known !== undefined) return known;
    const { accelerator } = this.#options;
    // The server refuses what is no host, also where every host has an origin.
    const origin = isHost(host) ? accelerator?.originFor(host.toLowerCase()) : undefined;
    const prefix = (origin !== undefined && keyPrefix(origin, host, { accelerator, scheme })) || '';
    if (this.#prefixes[scheme].size >= maxHosts) this.#prefixes[scheme].clear();
    // A copy: a piece of a text holds all of it.
    this.#prefixes[scheme].set(Buffer.from(host, 'latin1').toString('latin1'), prefix);
    return prefix;
  }
}

/** A head as the door hands it on. */
function withoutCookies(head: HeadScanner, ignored: IgnoredCookies): RequestValues {
  const cookies = head.value(cookieField);
  const rest = cookies === undefined ? undefined : ignored.rest(cookies);
  return { method: head.method, value: (field) => (field === cookieField ? rest : head.value(field)) };
}
