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
import { GuardedAgent, WatchfulTlsAgent } from './guarded-agents.ts';
import { PlainAnswer } from './plain-answer.ts';
import type { PlainOrder, PlainReply } from './plain-connection.ts';
import { PlainConnections } from './plain-connections.ts';
import { printPlainHead } from './plain-head.ts';
import { BrokenOff, PlainRequest } from './plain-request.ts';
import { UpstreamContent } from './upstream-content.ts';
import { connectingTooLong, upstreamError } from './upstream-errors.ts';
import { hasContent, responseFraming } from './upstream-head.ts';
import { Origins, type Target } from './upstream-target.ts';

/** How requests are sent on. Times in milliseconds. */
export interface UpstreamOptions {
  /** What the operator typed: URLs, `host:port`, or hosts. Every other origin is refused at private addresses. */
  readonly allowHosts?: Iterable<string>;
  readonly connectTimeoutMs?: number;
  /** Longest silence before the answer's head and between two pieces of its content. */
  readonly silenceMs?: number;
  /** How long a connection is kept for a next request. */
  readonly keptMs?: number;
  /**
   * Connections to one host and port at once, and as many again that are used once: for what may not be sent twice, or
   * failed on a kept one. Further requests wait.
   */
  readonly connectionsPerHost?: number;
  readonly maxHeadBytes?: number;
  readonly maxFields?: number;
  readonly lookup?: LookupFunction;
  /** Certificates trusted beside the usual ones, in PEM. */
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

// More than this in front of one answer is an attack on memory or time.
const maxInterim = 16;

// RFC 9110 9.2.2; TRACE as well, but nobody needs it repeated.
const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE']);

/** `Upstream` over HTTP/1.1 and TLS with kept connections. */
export function openUpstream(options: UpstreamOptions = {}): Upstream {
  return new HttpUpstream(options);
}

class HttpUpstream implements Upstream {
  readonly #options: typeof defaults;
  readonly #guard: AddressGuard;
  readonly #origins: Origins;
  /** For what can be read without node's parser. */
  readonly #bare: PlainConnections;
  readonly #bareLimits: Pick<PlainOrder, 'silenceMs' | 'limits'>;
  readonly #plain: GuardedAgent;
  readonly #tls: TlsAgent;
  /** Connections used once: for what failed on a kept one, and what may not fail on one. */
  readonly #fresh: { readonly plain: PlainAgent; readonly tls: TlsAgent };
  /** Ends a request; also one that waits for a connection, which an agent that is destroyed would still make. */
  readonly #underWay = new Set<(error: Error) => void>();
  #closed = false;

  constructor(options: UpstreamOptions) {
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    const settled: typeof defaults = { ...defaults, ...given };
    this.#options = settled;
    this.#guard = new AddressGuard(options.allowHosts ?? [], options.lookup);
    this.#origins = new Origins(this.#guard);
    const { connectTimeoutMs, keptMs, connectionsPerHost } = settled;
    // Half is always left to node: what waits there is served by what becomes free there.
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
    this.#tls = new WatchfulTlsAgent({ ...agent, ...trust, keepAlive: true });
    this.#fresh = { plain: new PlainAgent(agent), tls: new TlsAgent({ ...agent, ...trust }) };
  }

  async send(request: UpstreamRequest): Promise<UpstreamResponse> {
    if (this.#closed) throw failure(cacheErrors.CACHE_CLOSING, {});
    const target = this.#target(request);
    // What cannot be sent twice does not go out on a connection that may just have been closed (RFC 9112 9.3.1).
    if (!idempotent.has(request.method) || request.content !== undefined)
      return this.#once(request, target, true);
    const asked = this.#askBare(request, target);
    const reply = asked && (await asked);
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

  /** Break off what is under way and close every connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const breakOff of this.#underWay) breakOff(failure(cacheErrors.CACHE_CLOSING, {}));
    this.#bare.close();
    for (const agent of [this.#plain, this.#tls, this.#fresh.plain, this.#fresh.tls]) agent.destroy();
  }

  #target({ url, route, origin }: UpstreamRequest): Target {
    if (route.to === 'origin') return this.#origins.of(origin?.url ?? url, origin?.authority);
    const authority = /^[a-z]+:\/\/([^/?#]+)/.exec(url)?.[1] ?? '';
    // Who is a peer is the operator's own word.
    const { host, port } = route;
    return { secure: false, host, port, authority, path: url, lookup: this.#guard.openLookup };
  }

  /** Ask for what can be read without node's parser; undefined when that is not tried. */
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

  /** Ask by node. With `said` the request is on its way already, and what was answered waits to be read there. */
  #once(request: UpstreamRequest, target: Target, fresh: boolean, said?: Socket): Promise<UpstreamResponse> {
    const { signal, url, method } = request;
    const { connectTimeoutMs, silenceMs, maxHeadBytes } = this.#options;
    if (signal.aborted) {
      said?.destroy();
      return Promise.reject(signal.reason);
    }
    // Node looks at it as the request is made: what is read without its parser counts as well.
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
      ...(said === undefined
        ? { agent: target.secure ? agents.tls : agents.plain }
        : { createConnection: () => unwritten(said) }),
      ...(target.secure && isIP(target.host) === 0 && { servername: target.host }),
    };
    return new Promise((resolve, reject) => {
      const sent = target.secure ? tlsRequest(options) : plainRequest(options);
      // Node would leave out what is beyond its count, Cache-Control perhaps; they are counted here.
      sent.maxHeadersCount = 0;
      let connecting: NodeJS.Timeout | undefined;
      let content: UpstreamContent | undefined;
      const silent = (why: string) => failure(cacheErrors.CACHE_SILENT, { url, why });
      const abort = () => breakOff(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
      let waiting: NodeJS.Timeout | undefined;
      // The whole wait for a head is bounded, also by a server that sends it byte by byte.
      const awaitHead = () => {
        waiting ??= setTimeout(() => breakOff(silent('its head did not come')), silenceMs);
      };
      if (request.content === undefined) awaitHead();
      else sent.once('finish', awaitHead);
      const breakOff = (error: Error) => {
        if (content === undefined) reject(error);
        else content.destroy(error);
        // After an upgrade Node tells of no error any more, so nothing rests on it.
        free();
        sent.destroy();
      };
      this.#underWay.add(breakOff);
      const free = () => {
        this.#underWay.delete(breakOff);
        clearTimeout(connecting);
        clearTimeout(waiting);
        signal.removeEventListener('abort', abort);
      };
      signal.addEventListener('abort', abort, { once: true });
      sent.once('socket', (socket: Socket) => {
        if (socket === said) {
          // Node sets it on connections of its own making alone.
          socket.setTimeout(silenceMs);
          socket.resume();
        }
        if (!socket.connecting) return;
        connecting = setTimeout(() => breakOff(connectingTooLong(url)), connectTimeoutMs);
        socket.once(target.secure ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
      });
      sent.on('timeout', () => {
        if (content === undefined || content.isAwaited) breakOff(silent('nothing came any more'));
        // Our own client is slow; the upstream is not to blame.
        else sent.setTimeout(silenceMs);
      });
      forwardInterim(sent, request, breakOff);
      sent.once('upgrade', (_response, socket: Socket) => {
        socket.destroy();
        breakOff(failure(cacheErrors.CACHE_BAD_RESPONSE, { url, why: 'it left HTTP unasked' }));
      });
      sent.on('error', (error) => {
        free();
        // What stands behind a whole message is no part of it (RFC 9112 6.3); the connection is given up.
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

/** A connection on which nothing is written any more: the request is out already. */
function unwritten(socket: Socket): Socket {
  socket.write = (_chunk: unknown, encoding?: unknown, done?: unknown) => {
    const told = typeof encoding === 'function' ? encoding : done;
    if (typeof told === 'function') process.nextTick(told as () => void);
    return true;
  };
  return socket;
}

/** A kept connection was closed while the request was on its way to it. */
class StaleConnection extends Error {}

function answerOf(
  response: IncomingMessage,
  content: UpstreamContent,
  method: string,
  length: number | undefined,
): UpstreamResponse {
  const { statusCode: status = 0, statusMessage = '' } = response;
  // Nothing comes, so nobody need read for the connection to be free again.
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

// Longest wait for a server to ask for the content; many never do (RFC 9110 10.1.1).
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
    // Refused unseen: the content never follows, so the connection serves no other request.
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
