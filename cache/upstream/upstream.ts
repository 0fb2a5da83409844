import {
  type ClientRequest,
  type IncomingMessage,
  type InformationEvent,
  Agent as PlainAgent,
  request as plainRequest,
  type RequestOptions,
} from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { AddressGuard } from '../../fetch/index.ts';
import { failure } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import type { Upstream, UpstreamRequest, UpstreamResponse } from '../requests/index.ts';
import { type RawFields, withoutConnectionFields, withoutFields } from '../rules/index.ts';
import { GuardedAgent, GuardedTlsAgent } from './guarded-agents.ts';
import { PlainAnswer } from './plain-answer.ts';
import type { PlainOrder, PlainReply } from './plain-connection.ts';
import { PlainConnections } from './plain-connections.ts';
import { printPlainHead } from './plain-head.ts';
import { BrokenOff, PlainRequest } from './plain-request.ts';
import { UpstreamContent } from './upstream-content.ts';
import { connectingTooLong, upstreamError } from './upstream-errors.ts';
import { hasContent, responseFraming } from './upstream-head.ts';
import { Origins, type Target } from './upstream-target.ts';

/** Options of upstream requests. Times in milliseconds. */
export interface UpstreamOptions {
  /** The operator's entries: URLs, `host:port`, or hosts. Every other origin with a private address is refused. */
  readonly allowHosts?: Iterable<string>;
  readonly connectTimeoutMs?: number;
  /** Max silence before the answer's head and between two chunks of its content. */
  readonly silenceMs?: number;
  /** How long an idle connection is kept for the next request. */
  readonly keptMs?: number;
  /**
   * Max connections to one host and port, and as many again that are used once: for requests that may not be
   * sent twice, or that failed on a kept connection. Further requests wait.
   */
  readonly connectionsPerHost?: number;
  readonly maxHeadBytes?: number;
  readonly maxFields?: number;
  readonly lookup?: LookupFunction;
  /** Trusted certificates besides the usual ones, in PEM. */
  readonly ca?: string | readonly string[];
}

const defaults = {
  connectTimeoutMs: 10_000,
  silenceMs: 60_000,
  keptMs: 15_000,
  connectionsPerHost: 256,
  maxHeadBytes: 64 * 1024,
  maxFields: 256,
};

// More interim answers before one answer would be an attack on memory or time.
const maxInterim = 16;

// RFC 9110 9.2.2; TRACE as well.
const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE']);

/** `Upstream` over HTTP/1.1 and TLS with persistent connections. */
export function openUpstream(options: UpstreamOptions = {}): Upstream {
  return new HttpUpstream(options);
}

class HttpUpstream implements Upstream {
  readonly #options: typeof defaults;
  readonly #guard: AddressGuard;
  readonly #origins: Origins;
  /** For answers that can be read without Node's parser. */
  readonly #bare: PlainConnections;
  readonly #bareLimits: Pick<PlainOrder, 'silenceMs' | 'limits'>;
  readonly #plain: GuardedAgent;
  readonly #tls: TlsAgent;
  /** Connections used once: for requests that failed on a kept one, and those that may not fail on one. */
  readonly #fresh: { readonly plain: PlainAgent; readonly tls: TlsAgent };
  /** Ends a request, including one that waits for a connection: a destroyed agent would still open one. */
  readonly #inFlight = new Set<(error: Error) => void>();
  #closed = false;

  constructor(options: UpstreamOptions) {
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    const settled: typeof defaults = { ...defaults, ...given };
    this.#options = settled;
    this.#guard = new AddressGuard(options.allowHosts ?? [], options.lookup);
    this.#origins = new Origins(this.#guard);
    const { connectTimeoutMs, keptMs, connectionsPerHost } = settled;
    // Half is always left to Node: a request that waits there gets only connections that become free there.
    const perHost = Math.floor(connectionsPerHost / 2);
    const room = (target: Target) => connectionsPerHost - this.#plain.countTo(target);
    this.#bare = new PlainConnections({ connectTimeoutMs, keptMs, perHost, room });
    const { silenceMs, maxHeadBytes: maxBytes, maxFields } = settled;
    this.#bareLimits = { silenceMs, limits: { maxBytes, maxFields } };
    const agent = {
      maxSockets: connectionsPerHost,
      maxFreeSockets: 64,
      timeout: settled.keptMs,
      noDelay: true,
    };
    const trust = options.ca === undefined ? {} : { ca: [options.ca].flat() };
    this.#plain = new GuardedAgent({ ...agent, keepAlive: true });
    this.#tls = new GuardedTlsAgent({ ...agent, ...trust, keepAlive: true });
    this.#fresh = { plain: new PlainAgent(agent), tls: new TlsAgent({ ...agent, ...trust }) };
  }

  async send(request: UpstreamRequest): Promise<UpstreamResponse> {
    if (this.#closed) throw failure(cacheErrors.CACHE_CLOSING, {});
    const target = this.#target(request);
    // A request that cannot be sent twice gets a new connection: a kept one may just close (RFC 9112 9.3.1).
    if (!idempotent.has(request.method) || request.content !== undefined)
      return this.#once(request, target, true);
    const sent = this.#askBare(request, target);
    const reply = sent && (await sent);
    if (reply?.kind === 'response') return new PlainAnswer(reply);
    if (reply?.kind === 'closed') return this.#once(request, target, true);
    if (reply?.kind === 'unusual') {
      this.#bare.isUnusual(target);
      return this.#once(request, target, true, reply.socket);
    }
    try {
      return await this.#once(request, target, false);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      return await this.#once(request, target, true);
    }
  }

  /** Break off all requests in flight and close every connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const breakOff of this.#inFlight) breakOff(failure(cacheErrors.CACHE_CLOSING, {}));
    this.#bare.close();
    for (const agent of [this.#plain, this.#tls, this.#fresh.plain, this.#fresh.tls]) agent.destroy();
  }

  #target({ url, route, origin }: UpstreamRequest): Target {
    if (route.to === 'origin') return this.#origins.of(origin?.url ?? url, origin?.authority);
    const authority = /^[a-z]+:\/\/([^/?#]+)/.exec(url)?.[1] ?? '';
    // The operator named the peers.
    const { host, port } = route;
    return { secure: false, host, port, authority, path: url, lookup: this.#guard.openLookup };
  }

  /** Send a request whose answer can be read without Node's parser; undefined when that is not tried. */
  #askBare(
    { method, url, signal, fields }: UpstreamRequest,
    target: Target,
  ): Promise<PlainReply> | undefined {
    if (target.secure || (method !== 'GET' && method !== 'HEAD')) return undefined;
    const text = printPlainHead(method, target.path, target.authority, withoutFields(fields, framing));
    if (text === undefined) return undefined;
    if (signal.aborted) throw signal.reason;
    return this.#bare.ask(target, new PlainRequest({ method, url, text, signal }, this.#bareLimits));
  }

  /** Send a request by Node. With `handedOver` it has already been sent, and its answer waits on that socket. */
  #once(
    request: UpstreamRequest,
    target: Target,
    fresh: boolean,
    handedOver?: Socket,
  ): Promise<UpstreamResponse> {
    const { signal, url, method } = request;
    const { connectTimeoutMs, silenceMs, maxHeadBytes } = this.#options;
    if (signal.aborted) {
      handedOver?.destroy();
      return Promise.reject(signal.reason);
    }
    // Node reads it as the request is made: connections without its parser count as well.
    if (!fresh && !target.secure)
      this.#plain.maxSockets = this.#options.connectionsPerHost - this.#bare.countTo(target);
    const agents = fresh ? this.#fresh : { plain: this.#plain, tls: this.#tls };
    const options: RequestOptions = {
      method,
      host: target.host,
      port: target.port,
      path: target.path,
      headers: requestFields(request, target.authority) as unknown as string[],
      lookup: target.lookup,
      maxHeaderSize: maxHeadBytes,
      timeout: silenceMs,
      ...(handedOver === undefined
        ? { agent: target.secure ? agents.tls : agents.plain }
        : { createConnection: () => unwritten(handedOver) }),
      ...(target.secure && isIP(target.host) === 0 && { servername: target.host }),
    };
    return new Promise((resolve, reject) => {
      const sent = target.secure ? tlsRequest(options) : plainRequest(options);
      // Node would drop fields beyond its limit, possibly Cache-Control; they are counted here.
      sent.maxHeadersCount = 0;
      let connecting: NodeJS.Timeout | undefined;
      let content: UpstreamContent | undefined;
      const silent = (why: string) => failure(cacheErrors.CACHE_SILENT, { url, why });
      const abort = () => breakOff(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
      let waiting: NodeJS.Timeout | undefined;
      // The whole wait for a head is bounded, also when a server sends it byte by byte.
      const awaitHead = () => {
        waiting ??= setTimeout(() => breakOff(silent('its head did not arrive')), silenceMs);
      };
      if (request.content === undefined) awaitHead();
      else sent.once('finish', awaitHead);
      const breakOff = (error: Error) => {
        if (content === undefined) reject(error);
        else content.destroy(error);
        // After an upgrade Node reports no more errors, so nothing depends on them.
        free();
        sent.destroy();
      };
      this.#inFlight.add(breakOff);
      const free = () => {
        this.#inFlight.delete(breakOff);
        clearTimeout(connecting);
        clearTimeout(waiting);
        signal.removeEventListener('abort', abort);
      };
      signal.addEventListener('abort', abort, { once: true });
      sent.once('socket', (socket: Socket) => {
        if (socket === handedOver) {
          // Node sets it only on connections that it opened itself.
          socket.setTimeout(silenceMs);
          socket.resume();
        }
        if (!socket.connecting) return;
        connecting = setTimeout(() => breakOff(connectingTooLong(url)), connectTimeoutMs);
        socket.once(target.secure ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
      });
      sent.on('timeout', () => {
        if (content === undefined || content.isAwaited) breakOff(silent('it stopped sending'));
        // The client is slow, not the upstream.
        else sent.setTimeout(silenceMs);
      });
      forwardInterim(sent, request, breakOff);
      sent.once('upgrade', (_response, socket: Socket) => {
        socket.destroy();
        breakOff(
          failure(cacheErrors.CACHE_BAD_RESPONSE, { url, why: 'it switched protocols without a request to' }),
        );
      });
      sent.on('error', (error) => {
        free();
        // Bytes after a whole message are not part of it (RFC 9112 6.3); the connection is closed.
        if (content?.isWhole === true) return;
        if (content !== undefined) return void content.destroy(upstreamError(url, error));
        const closed = 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        reject(sent.reusedSocket && closed && !fresh ? new StaleConnection() : upstreamError(url, error));
      });
      sent.once('response', (response) => {
        clearTimeout(waiting);
        const framing = responseFraming(response, this.#options.maxFields);
        if ('fault' in framing) {
          response.on('error', () => undefined);
          breakOff(failure(cacheErrors.CACHE_BAD_RESPONSE, { url, why: framing.fault }));
          return;
        }
        content = new UpstreamContent(response, (error) => upstreamError(url, error ?? new BrokenOff()));
        content.once('close', free);
        resolve(answerOf(response, content, method, framing.length));
      });
      sendContent(sent, request, breakOff);
    });
  }
}

/** A connection on which nothing more is written: the request has already been sent. */
function unwritten(socket: Socket): Socket {
  socket.write = (_chunk: unknown, encoding?: unknown, done?: unknown) => {
    const callback = typeof encoding === 'function' ? encoding : done;
    if (typeof callback === 'function') process.nextTick(callback as () => void);
    return true;
  };
  return socket;
}

/** A kept connection was closed while the request was being sent. */
class StaleConnection extends Error {}

function answerOf(
  response: IncomingMessage,
  content: UpstreamContent,
  method: string,
  length: number | undefined,
): UpstreamResponse {
  const { statusCode: status = 0, statusMessage = '' } = response;
  // There is no content, so the connection becomes free without a reader.
  if (!hasContent(method, status)) content.resume();
  return {
    status,
    reason: /^[\t\x20-\x7e\x80-\xff]*$/.test(statusMessage) ? statusMessage : '',
    fields: withoutConnectionFields(response.rawHeaders),
    ...(length !== undefined && { contentLength: length }),
    content,
    trailers: () => withoutConnectionFields(response.rawTrailers),
  };
}

const framing = new Set(['host', 'content-length', 'transfer-encoding']);

function requestFields(request: UpstreamRequest, authority: string): string[] {
  const fields = ['Host', authority, ...withoutFields(request.fields, framing)];
  const { content, contentLength, method } = request;
  if (content === undefined) {
    if (method === 'POST' || method === 'PUT' || method === 'PATCH') fields.push('Content-Length', '0');
  } else if (contentLength !== undefined) fields.push('Content-Length', String(contentLength));
  else fields.push('Transfer-Encoding', 'chunked');
  return fields;
}

function forwardInterim(
  sent: ClientRequest,
  request: UpstreamRequest,
  breakOff: (error: Error) => void,
): void {
  let count = 0;
  sent.on('information', (information: InformationEvent) => {
    count += 1;
    if (count > maxInterim)
      breakOff(
        failure(cacheErrors.CACHE_BAD_RESPONSE, { url: request.url, why: 'too many interim answers' }),
      );
    else request.onInterim?.(information.statusCode, withoutConnectionFields(information.rawHeaders));
  });
}

// Max wait for 100 (Continue); many servers never send it (RFC 9110 10.1.1).
const continueMs = 1000;

function sendContent(sent: ClientRequest, request: UpstreamRequest, breakOff: (error: Error) => void): void {
  const { content } = request;
  if (content === undefined) {
    sent.end();
    return;
  }
  content.on('error', breakOff);
  if (!expectsContinue(request.fields)) {
    content.pipe(sent);
    return;
  }
  sent.flushHeaders();
  const goOn = () => {
    clearTimeout(timer);
    sent.off('continue', goOn);
    if (!sent.destroyed) content.pipe(sent);
  };
  const timer = setTimeout(goOn, continueMs);
  sent.once('continue', goOn);
  sent.once('response', (response: IncomingMessage) => {
    // Refused without the content, which never follows: the connection serves no other request.
    if (content.readableFlowing === null) response.once('end', () => sent.destroy());
    clearTimeout(timer);
    sent.off('continue', goOn);
  });
  sent.once('close', () => clearTimeout(timer));
}

function expectsContinue(fields: RawFields): boolean {
  for (let at = 0; at < fields.length; at += 2) {
    if (fields[at]?.toLowerCase() !== 'expect') continue;
    return fields[at + 1]?.trim().toLowerCase() === '100-continue';
  }
  return false;
}
