import {
  createServer as createPlainServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { listen, rejectPlainHttp } from '../../http/index.ts';
import { failure, GarnerError, isGarnerError } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { cacheFault } from '../events.ts';
import { type AbortSource, type CacheAnswer, ClientAbort, clientsError } from '../requests/index.ts';
import { type RawFields, withoutReload } from '../rules/index.ts';
import { InFlightMap } from '../waiting/index.ts';
import { AccessRules } from './access.ts';
import { ClientSlots } from './client-slots.ts';
import { ConnectionSlots } from './connection-slots.ts';
import { type DoorLimits, defaultDoorLimits } from './door-limits.ts';
import type { HttpDoorOptions } from './door-options.ts';
import { errorAnswer } from './error-answer.ts';
import { type FastLane, openFastLane } from './fast-lane/fast-lane.ts';
import { withForwarded } from './forwarded.ts';
import { countHop, namedHost, optionsAnswer, placeOf } from './max-forwards.ts';
import { isOtherPeer } from './other-peer.ts';
import { handleUpgrades } from './protocol-upgrade.ts';
import { answerRaw, parserRefusal } from './raw-answer.ts';
import type { Reply, RequestedHead } from './reply.ts';
import { requestContent } from './request-content.ts';
import { type HeadRules, type RequestHead, understandHead } from './request-head.ts';
import { type Answering, RequestQueue, type WaitingRoom } from './request-queue.ts';
import { writeAnswer } from './write-answer.ts';

/** An open door. Disposing closes it: answers in flight get `closeGraceMs`, then every connection is closed. */
export interface HttpDoor extends AsyncDisposable {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** For connections that another listener accepted: emit 'connection' with them. */
  readonly server: Server;
  readonly lane?: FastLane;
  readonly activeRequests: number;
  readonly connections: number;
  /** The slots of its connections, and of those in other processes. */
  readonly slots: ConnectionSlots;
  /** Requests, tunnels and connections that the door itself refused, by the code of the error. */
  readonly refused: ReadonlyMap<string, number>;
  /** Use this certificate for new connections. Throws the TLS error of an invalid one, and keeps the old one. */
  renewTls(tls: NonNullable<HttpDoorOptions['tls']>): void;
}

/** Open a door. Rejects with HTTP_PORT_IN_USE, HTTP_PORT_DENIED or HTTP_ADDRESS_UNAVAILABLE. */
export async function openHttpDoor(options: HttpDoorOptions): Promise<HttpDoor> {
  const door = new Door(options);
  // An empty host would listen on every address.
  await listen(door.server, options.host || '127.0.0.1', options.port);
  return door;
}

class Door implements HttpDoor {
  readonly server: Server;
  readonly lane?: FastLane;
  readonly slots: ConnectionSlots;
  readonly #options: HttpDoorOptions;
  readonly #limits: DoorLimits;
  readonly #rules: HeadRules;
  readonly #access: AccessRules;
  readonly #requests: ClientSlots;
  readonly #refused = new Map<string, number>();
  readonly #waiting: WaitingRoom;
  readonly #queues = new WeakMap<Duplex, RequestQueue>();
  readonly #inFlight = new InFlightMap<number, Answering>();
  #taken = 0;
  readonly #silent: Disposable | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: HttpDoorOptions) {
    const limits = { ...defaultDoorLimits, ...options.limits };
    this.#options = options;
    this.#limits = limits;
    this.#rules = {
      proxy: options.proxy ?? false,
      accelerator: options.accelerator,
      scheme: options.tls === undefined ? 'http' : 'https',
      forwardsScheme: options.forwarded !== false,
      maxFields: limits.maxFields,
      maxUploadBytes: limits.maxUploadBytes,
    };
    this.#access = options.access ?? new AccessRules([], options.isPeer);
    this.#requests = new ClientSlots(limits.maxRequests, limits.clientRequests);
    this.slots = new ConnectionSlots(limits.maxConnections, limits.clientConnections);
    this.#waiting = { count: 0, max: limits.maxRequests };
    const settings = {
      insecureHTTPParser: false,
      // Refused by our own error, with the other rules of Host.
      requireHostHeader: false,
      maxHeaderSize: limits.maxHeadBytes,
      headersTimeout: limits.headTimeoutMs,
      // An upload may take any time; `stallMs` bounds its pauses.
      requestTimeout: 0,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: Math.min(1000, Math.ceil(limits.headTimeoutMs / 2)),
      noDelay: true,
    };
    const server: Server =
      options.tls === undefined
        ? createPlainServer(settings)
        : createTlsServer({
            ...settings,
            ...options.tls,
            ALPNProtocols: ['http/1.1'],
            handshakeTimeout: limits.headTimeoutMs,
          });
    this.server = server;
    // Node would drop fields beyond its limit; they are counted when the head is parsed.
    server.maxHeadersCount = 0;
    server.on(options.tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) =>
      this.#welcome(socket),
    );
    // Connections before the end of their TLS handshake count too.
    server.maxConnections = limits.maxConnections;
    server.on('request', (request, response) => this.#take(request, response, false));
    server.on('checkContinue', (request, response) => this.#take(request, response, true));
    server.on('checkExpectation', (_request, response) =>
      this.#refuse(response, this.#counted(failure(cacheErrors.CACHE_EXPECTATION, {}))),
    );
    server.on('clientError', (error, socket) => this.#parserFailed(error, socket));
    server.setTimeout(limits.stallMs, (socket: Socket) => this.#stalled(socket));
    handleUpgrades(server, options.tls === undefined ? 'connection' : 'secureConnection', {
      head: this.#rules,
      access: this.#access,
      tunnels: options.tunnels,
      pseudonym: options.pseudonym,
      isBusy: (socket) => this.#queues.get(socket)?.isBusy === true,
      isClosing: () => this.#closing !== undefined,
      refused: (error) => this.#counted(error),
      originFields: (head, from) => this.#originFields(head, from, false),
    });
    if (options.tls !== undefined)
      this.#silent = rejectPlainHttp(server, {
        timeoutMs: limits.headTimeoutMs,
        refuse: (socket) =>
          answerRaw(socket, this.#counted(failure(cacheErrors.CACHE_PLAIN_ON_TLS, {})), options.pseudonym),
      });
    // Before it listens an error rejects `openHttpDoor`.
    server.on('error', (error) => server.listening && this.#fault(error));
    const { lane, tls } = options;
    if (lane !== undefined)
      this.lane = openFastLane({
        ...{ ...options, ...lane, server, limits, access: this.#access },
        ...{ event: tls === undefined ? 'connection' : 'secureConnection' },
        ...{ connections: this.slots, requests: this.#requests },
        serve: (reply) => void this.#serve(reply, reply, false),
      });
  }

  get host(): string {
    return (this.server.address() as AddressInfo).address;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    const shown = this.host.includes(':') ? `[${this.host}]` : this.host;
    return `${this.#options.tls === undefined ? 'http' : 'https'}://${shown}:${this.port}/`;
  }

  get activeRequests(): number {
    return this.#requests.count;
  }

  get connections(): number {
    return this.slots.count;
  }

  get refused(): ReadonlyMap<string, number> {
    return this.#refused;
  }

  renewTls(tls: NonNullable<HttpDoorOptions['tls']>): void {
    if (this.server instanceof TlsServer) this.server.setSecureContext({ key: tls.key, cert: tls.cert });
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #welcome(socket: Socket): void {
    // A connection whose upgrade was declined arrives a second time.
    if (this.#queues.has(socket)) return;
    const from = socket.remoteAddress ?? '';
    const slot = this.slots.take(socket, from);
    if (slot !== 'taken') {
      this.#counted(refusal(slot));
      socket.destroy();
      return;
    }
    const queue = new RequestQueue(this.#waiting);
    this.#queues.set(socket, queue);
    socket.once('close', () => queue.drop());
  }

  #take(request: IncomingMessage, response: ServerResponse, expects: boolean): void {
    const queue = this.#queues.get(request.socket);
    const taken = queue?.take(() => this.#serve(request, response, expects));
    if (taken !== true) request.socket.destroy();
  }

  /** One request, until its answer is sent or its client has disconnected. */
  async #serve(request: RequestedHead, response: Reply, expects: boolean): Promise<void> {
    if (response.destroyed || request.socket.destroyed) return;
    const from = request.socket.remoteAddress ?? '';
    const left = new Promise<void>((resolve) => response.once('close', resolve));
    const slot = this.#closing === undefined ? this.#requests.take(from) : 'closing';
    if (slot !== 'taken') {
      this.#refuse(response, this.#counted(refusal(slot)));
      return left;
    }
    const leaving = new ClientAbort();
    const queue = this.#queues.get(request.socket);
    const [number, answering] = [this.#taken++, { response, leaving }];
    if (queue !== undefined) queue.answering = answering;
    this.#inFlight.set(number, answering);
    response.once('close', () => {
      this.#requests.leave(from);
      this.#inFlight.delete(number);
      if (queue !== undefined) queue.answering = undefined;
      if (!response.writableFinished) leaving.leave();
    });
    try {
      const answer = await this.#answer(request, response, { from, expects, signal: leaving });
      // Unread content would be taken for the next request's head, or would delay it.
      if (!request.complete && request.readableFlowing !== true) response.shouldKeepAlive = false;
      await writeAnswer(response, answer, this.#options.clock.now());
    } catch (error) {
      if (!(error instanceof GarnerError) && !leaving.aborted) this.#fault(error);
      this.#refuse(response, clientsError(error));
    }
    return left;
  }

  async #answer(
    request: RequestedHead,
    response: Reply,
    { from, expects, signal }: { from: string; expects: boolean; signal: AbortSource },
  ): Promise<CacheAnswer> {
    const method = request.method ?? '';
    const own = this.#options.own?.({ method, target: request.url ?? '', clientAddress: from });
    if (own !== undefined) return own;
    if (method === 'OPTIONS' && request.url === '*') return optionsAnswer;
    const understood = understandHead(request, this.#rules);
    if (understood instanceof GarnerError) throw this.#counted(understood);
    const form = understood.form === 'absolute' ? 'proxy' : 'accelerator';
    const admitted = this.#access.admits({ from, method, ...placeOf(understood.url) }, form);
    // Awaiting a known result would cost every request a yield to the event loop.
    if (admitted !== true && !(await admitted))
      throw this.#counted(failure(cacheErrors.CACHE_FORBIDDEN, { method, host: namedHost(understood) }));
    if (method === 'PURGE') return this.#purge(understood, from, request.rawHeaders);
    const isRead = method === 'GET' || method === 'HEAD';
    const head = countHop(method, isRead ? this.#sharedHead(understood, from) : understood);
    if ('status' in head) return head;
    const { maxUploadBytes: maxBytes } = this.#limits;
    const { content, onInterim } = requestContent(request, response, head, { expects, maxBytes });
    const { authority } = head;
    return this.#options.answer({
      method,
      url: head.key,
      origin: head.key === head.url ? undefined : { url: head.url, authority },
      fields: this.#originFields(head, from, isRead),
      version: request.httpVersion === '1.0' ? '1.0' : '1.1',
      content,
      contentLength: head.content?.length,
      clientAddress: from,
      // Only Via distinguishes a local cache from other clients on this machine.
      fromCache: hasVia(head) || isOtherPeer(from, this.#options.isPeer),
      signal,
      onInterim: request.httpVersion === '1.0' ? undefined : onInterim,
    });
  }

  /** The fields of a request as the origin gets them. */
  #originFields(head: RequestHead, from: string, isShared: boolean): RawFields {
    if (head.form === 'absolute' || !this.#rules.forwardsScheme) return head.fields;
    const { accelerator, isFront } = this.#options;
    const forwardedHost = head.authority ?? accelerator?.forwardedHost(head.host.toLowerCase());
    return withForwarded(head, { isShared, from, isFront: isFront?.(from) === true, forwardedHost });
  }

  /** The head without the parts that must not influence a shared answer. */
  #sharedHead(head: RequestHead, from: string): RequestHead {
    const { ignoredCookies, ignoresReload, isPeer } = this.#options;
    if (head.form === 'absolute') return head;
    const fields = ignoredCookies?.without(head.fields) ?? head.fields;
    if (ignoresReload !== true) return fields === head.fields ? head : { ...head, fields };
    // A cache that validates has a reason.
    const isValidating = isOtherPeer(from, isPeer) || (hasVia(head) && isPeer?.(from) === true);
    const obeyed = isValidating ? fields : withoutReload(fields);
    return obeyed === head.fields ? head : { ...head, fields: obeyed };
  }

  async #purge(head: RequestHead, from: string, raw: RawFields): Promise<CacheAnswer> {
    try {
      if (this.#options.purging === undefined) throw failure(cacheErrors.CACHE_PURGE_OFF, {});
      return await this.#options.purging.answer(head, from, raw);
    } catch (error) {
      throw error instanceof GarnerError ? this.#counted(error) : error;
    }
  }

  /** Answer an error, or close the connection when an answer has begun. */
  #refuse(response: Reply, error: GarnerError): void {
    if (response.destroyed) return;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // After an invalid request the start of the next one is uncertain.
    if (!response.req.complete || isGarnerError(error, cacheErrors.CACHE_BAD_REQUEST))
      response.shouldKeepAlive = false;
    const ofSite = this.#options.proxy !== true || response.req.url?.startsWith('/') === true;
    const answer = errorAnswer(error, this.#options.pseudonym, ofSite);
    writeAnswer(response, answer, this.#options.clock.now()).catch(() => response.destroy());
  }

  #parserFailed(error: Error & { code?: string }, socket: Duplex): void {
    const refused = this.#counted(parserRefusal(error, this.#limits.maxHeadBytes));
    const answering = this.#queues.get(socket)?.answering;
    // Bytes of an answer may already have been sent: nothing may be put between them.
    const begun =
      answering === undefined ? this.#queues.get(socket)?.isBusy === true : answering.response.headersSent;
    answering?.leaving.leave();
    if (begun || !socket.writable) socket.destroy();
    else answerRaw(socket, refused, this.#options.pseudonym);
  }

  #counted(error: GarnerError): GarnerError {
    this.#refused.set(error.code, (this.#refused.get(error.code) ?? 0) + 1);
    return error;
  }

  #fault(error: unknown): void {
    if (this.#options.fault === undefined) cacheFault.publish({ where: 'door', error });
    else this.#options.fault(error);
  }

  /** Nothing moved on a connection for `stallMs`: it is closed, unless the cache itself has to send next. */
  #stalled(socket: Socket): void {
    const answering = this.#queues.get(socket)?.answering;
    const isAnswerDue = answering?.response.req.complete === true && socket.writableLength === 0;
    if (isAnswerDue) socket.setTimeout(this.#limits.stallMs);
    else socket.destroy();
  }

  async #close(): Promise<void> {
    const { clock } = this.#options;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const { response } of this.#inFlight.values()) response.shouldKeepAlive = false;
    const left = this.lane?.[Symbol.asyncDispose]();
    this.server.closeIdleConnections();
    this.#silent?.[Symbol.dispose]();
    const waiting = new AbortController();
    const grace = clock.sleep(this.#limits.closeGraceMs, waiting.signal).catch(() => undefined);
    await Promise.race([closed, grace]);
    waiting.abort();
    for (const { leaving } of this.#inFlight.values()) leaving.leave();
    this.#options.tunnels?.closeAll();
    this.server.closeAllConnections();
    await left;
    await closed;
  }
}

function refusal(slot: 'all' | 'client' | 'closing'): GarnerError {
  if (slot === 'closing') return failure(cacheErrors.CACHE_CLOSING, {});
  return slot === 'all' ? failure(cacheErrors.CACHE_BUSY, {}) : failure(cacheErrors.CACHE_CLIENT_BUSY, {});
}

function hasVia({ fields }: RequestHead): boolean {
  for (let at = 0; at < fields.length; at += 2) if (fields[at]?.toLowerCase() === 'via') return true;
  return false;
}
