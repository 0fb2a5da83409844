import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  ClientSlots,
  type Clock,
  type Fronts,
  failure,
  type GarnerError,
  type Sender,
  shareOf,
} from '../kernel/index.ts';
import type { CrossOrigin } from './cross-origin.ts';
import { httpErrors } from './errors.ts';
import { requestFinished } from './events.ts';
import { type HostRule, hostName } from './host-names.ts';
import { securityHeaders } from './security-headers.ts';
import { StandingAnswers, type StandingLimits } from './standing-answers.ts';

/** One request between its headers and the end of its answer. */
export interface Exchange {
  /** Aborted when the caller disconnects or the server closes. */
  readonly signal: AbortSignal;
  /** The table's path once it is known; requests are counted by it, so it is never the caller's text. */
  route: string;
  readonly sender: Sender;
  /** The answer stays open: it is counted apart and ends when the server closes. */
  isStanding: boolean;
}

/** Runs before the routes: which requests are admitted, how many at once, and which are in progress. */
export class Admission {
  readonly #clock: Clock;
  readonly #hosts: HostRule;
  readonly #crossOrigin: CrossOrigin;
  readonly #fronts: Fronts;
  /** Requests whose body is awaited, and requests that are being answered. */
  readonly #receiving: ClientSlots;
  readonly #answering: ClientSlots;
  readonly #places = new WeakMap<ServerResponse, Disposable>();
  readonly #inside = new Map<ServerResponse, AbortController>();
  readonly #standing: StandingAnswers;
  readonly #exchanges = new WeakMap<IncomingMessage, Exchange>();
  /** For each connection its unfinished answers, with the function to call when the connection dies. */
  readonly #connections = new WeakMap<Duplex, Map<ServerResponse, () => void>>();
  #closing = false;

  constructor(
    options: {
      readonly clock: Clock;
      readonly hosts: HostRule;
      readonly maxRequests: number;
      readonly crossOrigin: CrossOrigin;
      readonly clientShare: number;
      readonly fronts: Fronts;
    } & StandingLimits,
  ) {
    this.#clock = options.clock;
    this.#hosts = options.hosts;
    this.#crossOrigin = options.crossOrigin;
    this.#fronts = options.fronts;
    const { maxRequests: max, clientShare } = options;
    const limits = { max, perClient: shareOf(max, clientShare) };
    [this.#receiving, this.#answering] = [new ClientSlots(limits), new ClientSlots(limits)];
    this.#standing = new StandingAnswers(options);
  }

  /** Requests being answered now, without the answers that stay open. */
  get count(): number {
    return this.#inside.size;
  }

  /** Answers that stay open. */
  get standing(): number {
    return this.#standing.count;
  }

  exchange(request: IncomingMessage): Exchange {
    const exchange = this.#exchanges.get(request);
    if (exchange === undefined) throw new TypeError('this request was not admitted');
    return exchange;
  }

  /** Whether an answer is in progress on this connection. */
  isBusy(socket: Duplex): boolean {
    return (this.#connections.get(socket)?.size ?? 0) > 0;
  }

  /** Whether a caller on this connection has sent its whole request and waits for an answer that has not begun. */
  isAwaited(socket: Duplex): boolean {
    const answers = [...(this.#connections.get(socket)?.keys() ?? [])];
    return answers.some((response) => response.req.complete && !response.headersSent);
  }

  /** Whether an answer stays open on this connection, and its reader has taken all of it so far. */
  isStanding(socket: Duplex): boolean {
    const answers = [...(this.#connections.get(socket)?.keys() ?? [])];
    return socket.writableLength === 0 && answers.some((response) => this.#standing.has(response));
  }

  /**
   * Count the answer to an admitted request as one that stays open, and no longer as a request. Throws
   * HTTP_STANDING_BUSY and HTTP_CLOSING.
   */
  stand(response: ServerResponse): void {
    const controller = this.#inside.get(response);
    if (controller === undefined) return;
    if (this.#closing) throw failure(httpErrors.HTTP_CLOSING, {});
    const exchange = this.exchange(response.req);
    this.#standing.add(response, exchange.sender.client, controller);
    this.#inside.delete(response);
    this.#places.get(response)?.[Symbol.dispose]();
    exchange.isStanding = true;
  }

  /** Record a request, and return the reason if it is refused. */
  enter(request: IncomingMessage, response: ServerResponse): GarnerError | undefined {
    const sender = this.sender(request);
    const refusal = this.#refusal(request, sender) ?? this.#place(response, sender);
    this.#track(request, response, sender, refusal === undefined);
    const headers = { ...securityHeaders, ...this.#crossOrigin.headers(request) };
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (this.#closing) response.setHeader('connection', 'close');
    return refusal;
  }

  /** The sender of a request; see `Fronts`. */
  sender({ headers, socket }: IncomingMessage): Sender {
    const scheme = 'encrypted' in socket ? 'https' : 'http';
    const sender = this.#fronts.sender(socket.remoteAddress ?? '', headers);
    return { ...sender, scheme: sender.scheme ?? scheme };
  }

  /** The body of a request is there: it counts as being answered from now on. Throws HTTP_BUSY, HTTP_CLIENT_BUSY. */
  received(response: ServerResponse): void {
    if (!this.#inside.has(response) || !mayHaveBody(response.req)) return;
    const { client } = this.exchange(response.req).sender;
    this.#places.get(response)?.[Symbol.dispose]();
    const place = this.#answering.enter(client);
    if (typeof place === 'string') throw busy(place);
    this.#places.set(response, place);
  }

  /** Take the place of a request: until its body is there, it is not one that is answered. */
  #place(response: ServerResponse, { client }: Sender): GarnerError | undefined {
    const place = (mayHaveBody(response.req) ? this.#receiving : this.#answering).enter(client);
    if (typeof place === 'string') return busy(place);
    this.#places.set(response, place);
    return undefined;
  }

  /** The reason why an upgrade is refused, if it is. A browser names the page's origin, other programs do not. */
  refuseUpgrade(request: IncomingMessage, fromAnyPage: boolean): GarnerError | undefined {
    if (this.#closing) return failure(httpErrors.HTTP_CLOSING, {});
    if (hasTwoHosts(request)) return failure(httpErrors.HTTP_BAD_REQUEST, { problem: twoHosts });
    if (!this.#hosts.answers(request.headers.host)) return failure(httpErrors.HTTP_WRONG_HOST, {});
    return fromAnyPage ? undefined : this.#foreign(request, this.sender(request));
  }

  /** Admit no more requests; connections end with their current answer. */
  close(): void {
    this.#closing = true;
    for (const response of this.#inside.keys())
      if (!response.headersSent) response.setHeader('connection', 'close');
    // An answer that stays open has no end to wait for.
    this.#standing.endAll();
  }

  abortAll(): void {
    for (const controller of this.#inside.values()) controller.abort();
  }

  #refusal(request: IncomingMessage, sender: Sender): GarnerError | undefined {
    if (this.#closing) return failure(httpErrors.HTTP_CLOSING, {});
    if (hasTwoHosts(request)) return failure(httpErrors.HTTP_BAD_REQUEST, { problem: twoHosts });
    if (!this.#hosts.answers(targetHost(request))) return failure(httpErrors.HTTP_WRONG_HOST, {});
    if (request.url?.startsWith('/') !== true) return failure(httpErrors.HTTP_BAD_PATH, {});
    const reads = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS';
    return reads || this.#crossOrigin.admits(request) ? undefined : this.#foreign(request, sender);
  }

  #foreign(request: IncomingMessage, { scheme = 'http' }: Sender): GarnerError | undefined {
    const { origin, host } = request.headers;
    if (origin === undefined || this.#hosts.ownOrigin(origin, { scheme, host })) return undefined;
    return failure(httpErrors.HTTP_CROSS_ORIGIN, {});
  }

  #track(request: IncomingMessage, response: ServerResponse, sender: Sender, admitted: boolean): void {
    const controller = new AbortController();
    const exchange: Exchange = { signal: controller.signal, sender, route: '-', isStanding: false };
    const { socket } = request;
    const startedAt = this.#clock.now();
    const bytesBefore = socket.bytesWritten;
    const answers = this.#answersOn(socket);
    // A refused request is answered in one short write: it neither counts nor waits.
    if (admitted) this.#inside.set(response, controller);
    this.#exchanges.set(request, exchange);
    // Node closes only the first answer of a connection; the pipelined ones behind it are closed here.
    const connectionDied = () => response.emit('close');
    answers.set(response, connectionDied);
    response.once('close', () => {
      const aborted = !response.writableFinished;
      this.#inside.delete(response);
      this.#places.get(response)?.[Symbol.dispose]();
      this.#standing.leave(response);
      answers.delete(response);
      if (aborted) controller.abort();
      // A connection that stays open after the server's end would hold the process.
      if (this.#closing && answers.size === 0) socket.destroySoon();
      requestFinished.publish({
        method: request.method ?? '-',
        route: exchange.route,
        status: response.statusCode,
        ms: this.#clock.now() - startedAt,
        bytes: socket.bytesWritten - bytesBefore,
        aborted,
        isStanding: exchange.isStanding,
      });
    });
  }

  #answersOn(socket: Duplex): Map<ServerResponse, () => void> {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    const answers = new Map<ServerResponse, () => void>();
    this.#connections.set(socket, answers);
    socket.once('close', () => {
      for (const connectionDied of answers.values()) connectionDied();
    });
    return answers;
  }
}

const busy = (bound: 'all' | 'client') =>
  bound === 'all' ? failure(httpErrors.HTTP_BUSY, {}) : failure(httpErrors.HTTP_CLIENT_BUSY, {});

/** Whether a request may have a body, by its headers. */
export function mayHaveBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  return coding !== undefined || length !== '0';
}

const twoHosts = 'it has more than one Host header';

/** Whether a request has several Host headers, of which node uses the first (RFC 9112 section 3.2). */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  const isHost = (text: string, at: number) => at % 2 === 0 && text.toLowerCase() === 'host';
  return rawHeaders.filter(isHost).length > 1;
}

/**
 * The host of a request. An absolute request target outweighs the Host header (RFC 9112 section 3.2.2); it is cut
 * to its path here so that routes see one form. Both must be well-formed.
 */
function targetHost(request: IncomingMessage): string | undefined {
  const { host } = request.headers;
  const absolute = /^https?:\/\/([^/?#]*)(.*)$/i.exec(request.url ?? '');
  if (absolute === null) return host;
  if (host === undefined || hostName(host) === undefined) return undefined;
  const rest = absolute[2] ?? '';
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return absolute[1];
}
