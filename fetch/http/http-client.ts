import { setMaxListeners } from 'node:events';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import {
  type Clock,
  failure,
  GarnerError,
  isGarnerError,
  type Random,
  systemClock,
  systemRandom,
} from '../../kernel/index.ts';
import {
  AddressGuard,
  acceptEncoding,
  backoffMs,
  type Courtesy,
  type Fetch,
  type FetchRequest,
  type FetchResponse,
  HostGates,
  httpDate,
  isLoopbackHost,
  isRetriedError,
  type Redirect,
  retriedStatuses,
  retryAfterMs,
  type TokenBucket,
} from '../client/index.ts';
import { connectFault, faultOf, fetchErrors, isTlsFault, withoutUser } from '../errors.ts';
import { requestDone, requestRetried } from '../events.ts';
import { type Ending, HttpResponse } from './http-response.ts';
import { type Proxies, proxyFault } from './proxy.ts';

/** The options of an `HttpClient`; absent ones are as in `fetchSettings`. Durations in milliseconds. */
export interface HttpClientOptions {
  /** The User-Agent field; `userAgent(version, contact)` makes it. */
  readonly userAgent: string;
  /** The operator's entries: URLs, `host:port`, or hosts. Any other host is refused at private addresses. */
  readonly allowHosts?: Iterable<string>;
  /** The setting that holds these entries, for errors; `fetch.allow-hosts` when absent. */
  readonly allowSetting?: string;
  readonly delayMs?: number;
  readonly perHost?: number;
  /** Requests to all hosts together, of other clients too; no limit when absent. */
  readonly rate?: TokenBucket | undefined;
  /** Courtesy towards this machine itself, where the operator named it. */
  readonly loopback?: Courtesy;
  readonly connections?: number;
  readonly retries?: number;
  readonly retryAfterMaxMs?: number;
  readonly connectTimeoutMs?: number;
  readonly headersTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly totalTimeoutMs?: number;
  readonly maxBytes?: number;
  readonly maxRedirects?: number;
  /** Speak HTTP/2 to https: servers that offer it; not through proxies. */
  readonly http2?: boolean;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Name resolution; the machine's when absent. */
  readonly lookup?: LookupFunction;
  /** The proxies and the hosts they are for; the caller closes them. */
  readonly proxies?: Proxies;
}

/** The totals of a client. */
export interface FetchCounts {
  readonly requests: number;
  readonly retries: number;
  readonly notModified: number;
  /** Answers by status. */
  readonly answers: Readonly<Record<string, number>>;
  /** Body bytes on the wire and after decoding. */
  readonly wireBytes: number;
  readonly bytes: number;
}

const defaults = {
  delayMs: 1000,
  perHost: 4,
  loopback: { delayMs: 0, perHost: 8 },
  connections: 64,
  retries: 3,
  retryAfterMaxMs: 120_000,
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 30_000,
  idleTimeoutMs: 30_000,
  totalTimeoutMs: 300_000,
  maxBytes: 64 * 1024 * 1024,
  maxRedirects: 10,
  http2: false,
};

/** The User-Agent of this system: `Garner/0.1.0 (+https://example.org/contact)`. */
export function userAgent(version: string, contact = ''): string {
  // A field value may hold no control characters, even if the operator wrote some.
  const printable = contact.replace(/[^\x20-\x7e]/g, '').trim();
  return printable ? `Garner/${version} (+${printable})` : `Garner/${version}`;
}

// Credentials stay with the origin they were meant for.
const privateHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** Scheme, host and port; `URL.origin` has none for gopher:. */
const originOf = ({ protocol, host }: URL) => `${protocol}//${host}`;

/** `Fetch` for http: and https:, and for ftp: and gopher: through a cache, with retries and politeness. */
export class HttpClient implements AsyncDisposable {
  /** Request a URL; see `Fetch`. */
  readonly fetch: Fetch = (request) => this.#follow(request);
  /** Throws FETCH_PRIVATE_ADDRESS where the text of a URL alone shows that it is refused. */
  readonly check = (url: URL): void => this.#guard.check(url);
  readonly #options: typeof defaults & { readonly userAgent: string };
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #guard: AddressGuard;
  readonly #gates: HostGates;
  readonly #agent: Agent;
  readonly #proxies: Proxies | undefined;
  readonly #closing = new AbortController();
  readonly #counts = { requests: 0, retries: 0, notModified: 0, wireBytes: 0, bytes: 0 };
  readonly #answers: Record<string, number> = {};

  constructor(options: HttpClientOptions) {
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    const settled = { ...defaults, ...given, userAgent: options.userAgent };
    this.#options = settled;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#gates = new HostGates(this.#clock, settled.connections, options.rate);
    const guard = new AddressGuard(options.allowHosts ?? [], options.lookup, options.allowSetting);
    this.#guard = guard;
    this.#proxies = options.proxies;
    const allowH2 = settled.http2;
    const connecting = { allowH2, timeout: settled.connectTimeoutMs, autoSelectFamilyAttemptTimeout: 1000 };
    const open = buildConnector({ ...connecting, lookup: guard.openLookup });
    const guarded = buildConnector({ ...connecting, lookup: guard.guardedLookup });
    this.#agent = new Agent({
      connect: (target, callback) => {
        const port = target.port || (target.protocol === 'https:' ? '443' : '80');
        if (guard.isTyped(target.hostname, port)) return open(target, callback);
        try {
          guard.checkLiteral(target.hostname, port);
        } catch (error) {
          return callback(error as Error, null);
        }
        guarded(target, callback);
      },
      connections: Math.max(settled.perHost, settled.loopback.perHost),
      allowH2,
      // One request at a time on a connection, of either version: a broken one affects no other request.
      pipelining: 1,
      keepAliveTimeout: 20_000,
      headersTimeout: settled.headersTimeoutMs,
      bodyTimeout: settled.idleTimeoutMs,
    });
  }

  /** Requests and bytes so far. */
  get counts(): FetchCounts {
    return { ...this.#counts, answers: { ...this.#answers } };
  }

  async #follow(request: FetchRequest): Promise<FetchResponse> {
    const redirects: Redirect[] = [];
    const origin = originOf(this.#target(request.url));
    let url = request.url;
    for (;;) {
      const target = this.#target(url);
      const response = await this.#repeat(target, request, originOf(target) === origin, redirects);
      const next = response.location;
      if (next === undefined || request.redirect === 'manual') return response;
      await response[Symbol.asyncDispose]();
      redirects.push({ from: target.href, to: next, status: response.status });
      if (redirects.some((redirect) => redirect.from === next))
        throw failure(fetchErrors.FETCH_REDIRECTS, { url: request.url, why: 'its redirects go in a circle' });
      if (redirects.length > this.#options.maxRedirects)
        throw failure(fetchErrors.FETCH_REDIRECTS, {
          url: request.url,
          why: `more than ${this.#options.maxRedirects} redirects`,
        });
      url = next;
    }
  }

  /** The URL if this client may request it. */
  #target(url: string): URL {
    const fault = (why: string) =>
      failure(fetchErrors.FETCH_BAD_URL, { url: withoutUser(url).slice(0, 200), why });
    if (!URL.canParse(url)) throw fault('it is not an absolute URL');
    const target = new URL(url);
    const isHttp = target.protocol === 'http:' || target.protocol === 'https:';
    if (!isHttp && this.#proxies?.cacheFor(target) === undefined)
      throw fault(`this client does not speak ${target.protocol}`);
    // Passwords in URLs end up in logs and results.
    if (target.username || target.password) throw fault('it holds a user name or password');
    target.hash = '';
    this.#guard.check(target);
    return target;
  }

  async #repeat(
    target: URL,
    request: FetchRequest,
    ownOrigin: boolean,
    redirects: readonly Redirect[],
  ): Promise<HttpResponse> {
    const { retries, retryAfterMaxMs } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      let waitMs = backoffMs(attempt, this.#random);
      let why: string;
      try {
        const response = await this.#once(target, request, ownOrigin, redirects);
        if (!retriedStatuses.has(response.status)) return response;
        const demandedMs = retryAfterMs(response.headers['retry-after'], this.#clock.now()) ?? 0;
        // A Retry-After of one URL holds for the whole host.
        if (demandedMs > 0) this.#gates.hold(target.host, Math.min(demandedMs, retryAfterMaxMs));
        if (attempt > retries || demandedMs > retryAfterMaxMs) return response;
        await response[Symbol.asyncDispose]();
        waitMs = Math.max(waitMs, demandedMs);
        why = `status ${response.status}`;
      } catch (error) {
        if (attempt > retries || !isRetriedError(error)) throw error;
        why = (error as GarnerError).code;
      }
      this.#counts.retries += 1;
      requestRetried.publish({ url: target.href, attempt, delayMs: waitMs, why });
      const link = this.#linked(request.signal);
      try {
        await this.#clock.sleep(waitMs, link.controller.signal);
      } finally {
        link.release();
      }
    }
  }

  async #once(
    target: URL,
    request: FetchRequest,
    ownOrigin: boolean,
    redirects: readonly Redirect[],
  ): Promise<HttpResponse> {
    const { controller, release } = this.#linked(request.signal);
    const signal = controller.signal;
    const url = target.href;
    const method = request.method ?? 'GET';
    const leave = await this.#gates
      .enter(target.host, this.#courtesy(target, request), signal)
      .catch((error: unknown) => {
        release();
        throw error;
      });
    const started = this.#clock.now();
    const stopTimer = this.#limitTotal(url, controller);
    const free = () => {
      stopTimer();
      release();
      leave();
    };
    const ended = (status: number, { wireBytes, bytes, error }: Ending) => {
      this.#counts.wireBytes += wireBytes;
      this.#counts.bytes += bytes;
      const ms = this.#clock.now() - started;
      const code =
        error === undefined ? {} : { error: error instanceof GarnerError ? error.code : 'ABORTED' };
      requestDone.publish({ url, method, status, ms, wireBytes, bytes, ...code });
    };
    this.#counts.requests += 1;
    const cache = this.#proxies?.cacheFor(target);
    const proxy = cache === undefined ? this.#proxies?.dispatcher(target) : undefined;
    const sent = {
      ...{ method, headers: this.#headers(request, ownOrigin), signal },
      ...(request.body !== undefined && { body: request.body }),
    };
    try {
      const { statusCode, headers, body } =
        cache !== undefined
          ? await cache.ask({ ...sent, url: target })
          : await (proxy ?? this.#agent).request({
              ...sent,
              origin: target.origin,
              path: target.pathname + target.search,
            });
      if (statusCode === 304) this.#counts.notModified += 1;
      this.#answers[statusCode] = (this.#answers[statusCode] ?? 0) + 1;
      const maxBytes = request.maxBytes ?? this.#options.maxBytes;
      return new HttpResponse(
        {
          ...{ url, redirects: [...redirects], method, status: statusCode },
          ...{ headers, body, maxBytes, start: request.start },
        },
        {
          explain: (error) => this.#explain(url, error, signal, 'body', proxy !== undefined),
          free,
          ended: (ending) => ended(statusCode, ending),
        },
      );
    } catch (error) {
      const explained = this.#explain(url, error, signal, 'head', proxy !== undefined);
      free();
      ended(0, { wireBytes: 0, bytes: 0, error: explained });
      throw explained;
    }
  }

  #courtesy(target: URL, request: FetchRequest): Courtesy {
    const { delayMs, perHost, loopback } = this.#options;
    const own = isLoopbackHost(target.hostname) ? loopback : { delayMs, perHost };
    return { ...own, delayMs: Math.max(own.delayMs, request.minDelayMs ?? 0) };
  }

  #headers(request: FetchRequest, ownOrigin: boolean): Record<string, string> {
    const headers: Record<string, string> = {
      'user-agent': this.#options.userAgent,
      accept: '*/*',
      'accept-encoding': acceptEncoding,
    };
    if (request.etag !== undefined) headers['if-none-match'] = request.etag;
    if (request.lastModified !== undefined) headers['if-modified-since'] = httpDate(request.lastModified);
    for (const [name, value] of Object.entries(request.headers ?? {})) {
      const lower = name.toLowerCase();
      if (ownOrigin || !privateHeaders.has(lower)) headers[lower] = value;
    }
    return headers;
  }

  /** A controller that ends with the caller's signal or the client, and a function to detach it. */
  #linked(signal: AbortSignal | undefined): { controller: AbortController; release: () => void } {
    const controller = new AbortController();
    const sources = signal ? [signal, this.#closing.signal] : [this.#closing.signal];
    const unties = sources.map((source) => {
      // One signal may serve many requests; each removes its listener again.
      setMaxListeners(0, source);
      const end = () => controller.abort(source.reason);
      if (source.aborted) end();
      else source.addEventListener('abort', end, { once: true });
      return () => source.removeEventListener('abort', end);
    });
    const release = () => {
      for (const untie of unties) untie();
    };
    return { controller, release };
  }

  #limitTotal(url: string, controller: AbortController): () => void {
    const timer = new AbortController();
    const seconds = this.#options.totalTimeoutMs / 1000;
    this.#clock
      .sleep(this.#options.totalTimeoutMs, timer.signal)
      .then(() => controller.abort(failure(fetchErrors.FETCH_TIMEOUT, { url, what: 'the answer', seconds })))
      .catch(() => undefined);
    return () => timer.abort();
  }

  /** The typed error for an error of the transport. */
  #explain(
    url: string,
    error: unknown,
    signal: AbortSignal,
    during: 'head' | 'body',
    proxied: boolean,
  ): unknown {
    if (this.#closing.signal.aborted) return failure(fetchErrors.FETCH_CLOSED, { url });
    if (signal.aborted) return signal.reason;
    if (isGarnerError(error) || error instanceof TypeError) return error;
    const { code, why } = faultOf(error);
    const late = (what: string, ms: number) =>
      failure(fetchErrors.FETCH_TIMEOUT, { url, what, seconds: ms / 1000 }, error);
    if (code === 'UND_ERR_CONNECT_TIMEOUT') return late('connecting', this.#options.connectTimeoutMs);
    if (code === 'UND_ERR_HEADERS_TIMEOUT') return late('the first answer', this.#options.headersTimeoutMs);
    if (code === 'UND_ERR_BODY_TIMEOUT') return late('a pause in the body', this.#options.idleTimeoutMs);
    const fault = proxied ? proxyFault(error) : undefined;
    if (fault !== undefined) return failure(fetchErrors.FETCH_UNREACHABLE, { url, why: fault }, error);
    const { hostname: host, port, protocol } = new URL(url);
    const address = `${host}:${port || (protocol === 'https:' ? 443 : 80)}`;
    const unconnected = during === 'head' ? connectFault(error, host, address) : undefined;
    if (unconnected !== undefined) return unconnected;
    if (isTlsFault(code)) return failure(fetchErrors.FETCH_TLS, { url, why }, error);
    if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW')
      return failure(fetchErrors.FETCH_BAD_RESPONSE, { url, why }, error);
    if (during === 'body') return failure(fetchErrors.FETCH_INTERRUPTED, { url, why }, error);
    return failure(fetchErrors.FETCH_UNREACHABLE, { url, why }, error);
  }

  /** Abort all requests and close every connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(failure(fetchErrors.FETCH_CLOSED, { url: 'a request in flight' }));
    await this.#agent.destroy();
  }
}
