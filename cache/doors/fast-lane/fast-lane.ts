import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../../kernel/index.ts';
import { type QueryRules, secureKey } from '../../rules/index.ts';
import type { AccessRules } from '../access.ts';
import { ClientSlots } from '../client-slots.ts';
import type { IgnoredCookies } from '../ignored-cookies.ts';
import { placeOf } from '../own-hop.ts';
import { isHost } from '../request-head.ts';
import { type AcceleratedHosts, keyPrefix } from '../request-key.ts';
import { type Scheme, saidScheme } from '../said-scheme.ts';
import type { HeadScanner } from './head-scanner.ts';
import { type Lane, LaneConnection } from './lane-connection.ts';
import { cookieField, forwardedField, forwardedProtoField } from './plain-fields.ts';
import type { ReadyAnswer, ReadyAnswers, RequestValues } from './ready-answer.ts';
import { SlowSide } from './slow-side.ts';

export interface FastLaneOptions {
  /** Node's HTTP server of a plain door, whole: what it does with a connection must be set up already. */
  readonly server: Server;
  readonly clock: Clock;
  readonly ready: ReadyAnswers;
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
  readonly limits: {
    readonly keepAliveMs: number;
    readonly stallMs: number;
    readonly maxConnections: number;
    readonly clientConnections: number;
    /** How long answers under way may go on when the lane closes. */
    readonly closeGraceMs: number;
  };
}

/** A fast lane before an HTTP server. Disposing ends what is idle in it, cuts the rest, and restores the server. */
export interface FastLane extends AsyncDisposable {
  /** Requests answered in the lane, and bytes written for them. */
  readonly answered: { readonly requests: number; readonly bytes: number };
  /** Connections in the lane now. */
  readonly connections: number;
}

/** Hosts whose prefix is remembered. */
const maxHosts = 1024;

/**
 * Put a fast lane before a server: its connections are read here first. Plain requests whose answer is ready are answered
 * at once; others that end where everybody sees them end are handed to the server one by one; and a connection on which
 * anything else arrives is the server's, with every byte that was read.
 */
export function openFastLane(options: FastLaneOptions): FastLane {
  return new OpenLane(options);
}

class OpenLane implements Lane, FastLane {
  readonly answered = { requests: 0, bytes: 0 };
  readonly keepAliveMs: number;
  readonly stallMs: number;
  readonly #options: FastLaneOptions;
  readonly #server: Server;
  readonly #slots: ClientSlots;
  readonly #connections = new Map<LaneConnection, string>();
  /** What the server does with a connection. */
  readonly #takers: readonly ((...args: unknown[]) => void)[];
  readonly #prefixes = { http: new Map<string, string>(), https: new Map<string, string>() };
  #closed = false;
  #onEmpty: (() => void) | undefined;

  constructor(options: FastLaneOptions) {
    const { server, limits } = options;
    this.#options = options;
    this.#server = server;
    this.keepAliveMs = limits.keepAliveMs;
    this.stallMs = limits.stallMs;
    this.#slots = new ClientSlots(limits.maxConnections, limits.clientConnections);
    this.#takers = server.listeners('connection') as ((...args: unknown[]) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', this.#welcome);
    SlowSide.watch(server);
  }

  get connections(): number {
    return this.#connections.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#server.off('connection', this.#welcome);
    for (const taker of this.#takers) this.#server.on('connection', taker);
    for (const connection of this.#connections.keys()) connection.end();
    if (this.#connections.size > 0) {
      const waiting = new AbortController();
      const { clock, limits } = this.#options;
      this.#onEmpty = () => waiting.abort();
      await clock.sleep(limits.closeGraceMs, waiting.signal).catch(() => undefined);
    }
    for (const connection of this.#connections.keys()) connection.cut();
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
    return scheme === 'https' ? secureKey(url) : url;
  }

  admits(from: string, url: string, { method, form }: HeadScanner): boolean | Promise<boolean> {
    const { access } = this.#options;
    if (access === undefined) return true;
    return access.admits({ from, method, ...placeOf(url) }, form === 'origin' ? 'accelerator' : 'proxy');
  }

  find(url: string, head: HeadScanner): ReadyAnswer | undefined {
    const { ready, clock, ignoredCookies } = this.#options;
    const asked =
      ignoredCookies === undefined || head.form === 'absolute' ? head : withoutCookies(head, ignoredCookies);
    return ready.find(url, asked, clock.now());
  }

  give(connection: Socket | SlowSide): void {
    for (const taker of this.#takers) taker.call(this.#server, connection);
  }

  answeredWith(bytes: number): void {
    this.answered.requests += 1;
    this.answered.bytes += bytes;
  }

  left(connection: LaneConnection): void {
    const address = this.#connections.get(connection);
    if (address === undefined) return;
    this.#connections.delete(connection);
    this.#slots.leave(address);
    if (this.#connections.size === 0) this.#onEmpty?.();
  }

  readonly #welcome = (socket: Socket): void => {
    const address = socket.remoteAddress ?? '';
    // Where there is no room the server says so, or has it.
    if (this.#slots.take(address) !== 'taken') {
      this.give(socket);
      return;
    }
    this.#connections.set(new LaneConnection(socket, address, this), address);
  };

  /** How a client came: at this door, or as somebody in front says. */
  #schemeOf(head: HeadScanner): Scheme {
    const [proto, forwarded] = [head.value(forwardedProtoField), head.value(forwardedField)];
    if ((proto === undefined && forwarded === undefined) || this.#options.forwarded === false) return 'http';
    return saidScheme(proto, forwarded) ?? 'http';
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
