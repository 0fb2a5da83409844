import {
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
} from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { failure, type GarnerError } from '../../kernel/index.ts';
import { isLoopbackHost, objectCacheErrors } from '../client/index.ts';
import { faultOf, fetchErrors, isTlsFault } from '../errors.ts';

/** Limits of the connections to a cache. */
export interface LinkLimits {
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

/** One request through a cache, complete but for Host. */
export interface LinkRequest {
  readonly url: URL;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  readonly signal: AbortSignal;
}

/** A received answer. */
export interface LinkAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'ftp:', 'gopher:']);

/** The errors in Proxy-Status (RFC 9209 2.3) that mean that a cache has no answer of the origin's. */
const notReached: ReadonlySet<string> = new Set([
  'destination_unavailable',
  'http_response_timeout',
  'http_response_incomplete',
]);

/** Persistent connections to an object cache that takes whole URLs of any scheme (RFC 9112 3.2.2). */
export class ObjectCacheLink implements AsyncDisposable {
  /** The cache as messages name it: `host:port`. */
  readonly place: string;
  readonly #cache: URL;
  readonly #limits: LinkLimits;
  readonly #agent: PlainAgent;

  constructor(cache: URL, limits: LinkLimits) {
    this.#cache = cache;
    this.#limits = limits;
    this.place = cache.host;
    const keeping = { keepAlive: true, maxSockets: limits.connections, noDelay: true };
    this.#agent = this.#isSecure ? new TlsAgent(keeping) : new PlainAgent(keeping);
  }

  get #isSecure(): boolean {
    return this.#cache.protocol === 'https:';
  }

  /** Whether the cache runs on this machine. */
  get isLocal(): boolean {
    return isLoopbackHost(this.#cache.hostname);
  }

  /** Whether a URL may be sent to the cache: an https: URL only to this machine or over TLS. */
  takes({ protocol }: URL): boolean {
    return schemes.has(protocol) && (protocol !== 'https:' || this.isLocal || this.#isSecure);
  }

  /**
   * Send a request to the cache. Throws FETCH_CACHE_SILENT when it gives no answer, FETCH_CACHE_REFUSED when it
   * refuses to fetch, and FETCH_UNREACHABLE or FETCH_BAD_RESPONSE when it says that the origin is at fault.
   */
  async ask(request: LinkRequest): Promise<LinkAnswer> {
    let response: IncomingMessage;
    try {
      response = await this.#send(request, false);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      response = await this.#send(request, true);
    }
    const fault = this.#faultIn(request.url.href, response);
    if (fault === undefined)
      return { statusCode: response.statusCode ?? 0, headers: response.headers, body: response };
    response.destroy();
    throw fault;
  }

  #send(request: LinkRequest, fresh: boolean): Promise<IncomingMessage> {
    const { url, method, headers, body, signal } = request;
    const { connectTimeoutMs, headersTimeoutMs, idleTimeoutMs } = this.#limits;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const options = {
        method,
        host: this.#cache.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: this.#cache.port || (this.#isSecure ? 443 : 80),
        path: wholeUrl(url),
        headers: { ...headers, host: url.host, ...(body && { 'content-length': String(body.length) }) },
        // After a stale connection the next idle one may be closed as well.
        agent: fresh ? false : this.#agent,
      };
      const sent: ClientRequest = this.#isSecure ? tlsRequest(options) : plainRequest(options);
      let answer: IncomingMessage | undefined;
      let timer: NodeJS.Timeout | undefined;
      const within = (ms: number, code: string) => {
        clearTimeout(timer);
        timer = setTimeout(() => sent.destroy(Object.assign(new Error(code), { code })), ms);
      };
      const abort = () => (answer ?? sent).destroy(asError(signal.reason));
      signal.addEventListener('abort', abort, { once: true });
      const free = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      sent.once('socket', (socket) => {
        const begin = () => within(headersTimeoutMs, 'UND_ERR_HEADERS_TIMEOUT');
        if (!socket.connecting) return begin();
        within(connectTimeoutMs, 'UND_ERR_CONNECT_TIMEOUT');
        socket.once(this.#isSecure ? 'secureConnect' : 'connect', begin);
      });
      sent.on('error', (error) => {
        free();
        // The reader of an answer gets the error from the answer itself.
        if (answer !== undefined) return;
        const { code } = faultOf(error);
        const isStale = sent.reusedSocket && method !== 'POST' && code === 'ECONNRESET';
        if (signal.aborted) reject(signal.reason);
        else reject(isStale ? new StaleConnection() : this.#silence(error));
      });
      sent.once('response', (response) => {
        clearTimeout(timer);
        answer = response;
        sent.setTimeout(idleTimeoutMs);
        sent.on('timeout', () => {
          // With a full buffer before the reader, the cache is not the slow side.
          if (response.readableLength >= response.readableHighWaterMark) sent.setTimeout(idleTimeoutMs);
          else response.destroy(Object.assign(new Error('silence'), { code: 'UND_ERR_BODY_TIMEOUT' }));
        });
        response.once('close', free);
        resolve(response);
      });
      sent.end(body);
    });
  }

  /** Why no answer came. A slow answer may be the origin's fault, and is reported by the client's own time-outs. */
  #silence(error: unknown): unknown {
    const { code, why } = faultOf(error);
    if (code === 'UND_ERR_HEADERS_TIMEOUT') return error;
    const late = code === 'UND_ERR_CONNECT_TIMEOUT' ? 'connecting takes too long' : undefined;
    const reason = code === 'ECONNREFUSED' ? 'no server listens there' : (late ?? why);
    const known = isTlsFault(code) ? `its certificate or TLS is not accepted: ${why}` : reason;
    return failure(objectCacheErrors.FETCH_CACHE_SILENT, { cache: this.place, why: known }, error);
  }

  /** The cache's own fault in place of an answer; undefined for the origin's answer or a retryable one. */
  #faultIn(url: string, { statusCode = 0, headers }: IncomingMessage): GarnerError | undefined {
    const { place: cache } = this;
    const kind = proxyError(headers['proxy-status']);
    if (statusCode === 407) return this.#refused(url, 'it requires a user name and password');
    if (kind === undefined || statusCode < 400) return undefined;
    if (kind === 'destination_ip_prohibited') return this.#refused(url, 'its address is private');
    if (kind === 'http_request_denied' && statusCode === 403)
      return this.#refused(url, 'its access rules do not allow it');
    const why = `as the object cache ${cache} says: ${kind.replaceAll('_', ' ')}`;
    if (notReached.has(kind)) return failure(fetchErrors.FETCH_UNREACHABLE, { url, why });
    return kind === 'http_protocol_error' ? failure(fetchErrors.FETCH_BAD_RESPONSE, { url, why }) : undefined;
  }

  #refused(url: string, why: string): GarnerError {
    return failure(objectCacheErrors.FETCH_CACHE_REFUSED, { cache: this.place, url, why });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
  }
}

/** An idle connection was closed while a request was in flight to it. */
class StaleConnection extends Error {}

const asError = (reason: unknown) => (reason instanceof Error ? reason : new Error('aborted'));

/** A URL in the form of a request line, without its fragment. */
function wholeUrl(url: URL): string {
  const path = `${url.pathname}${url.search}`;
  return `${url.protocol}//${url.host}${path.startsWith('/') ? path : `/${path}`}`;
}

/** The error that the nearest cache names; those of caches farther away come before it. */
function proxyError(field: string | string[] | undefined): string | undefined {
  const text = Array.isArray(field) ? field.join(', ') : (field ?? '');
  return /;\s*error=([a-z_]{1,60})(?=[;,\s]|$)/.exec(text.slice(-500))?.[1];
}
