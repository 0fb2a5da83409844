import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import {
  ClientSlots,
  type Clock,
  clientOf,
  Fronts,
  failure,
  type GarnerError,
  shareOf,
} from '../kernel/index.ts';
import { Admission } from './admission.ts';
import { CrossOrigin } from './cross-origin.ts';
import { httpErrors } from './errors.ts';
import { hostRule } from './host-names.ts';
import { listen } from './listen.ts';
import { rejectPlainHttp } from './plain-http-on-tls.ts';
import { answerRaw, parserRefusal } from './raw-answer.ts';
import type { Route } from './route.ts';
import { RouteTable } from './route-table.ts';
import { mountRoutes, type Refusal } from './routing.ts';
import { type HealthCheck, type MetricsProvider, serviceRoutes } from './service-routes.ts';
import { defaultLimits, type HttpLimits } from './settings.ts';
import { type Tokens, TokenTable } from './tokens.ts';
import { type Upgrade, Upgrades } from './upgrades.ts';

/** A certificate with its chain, and its key, in PEM. */
interface TlsPem {
  readonly cert: string;
  readonly key: string;
}

export interface HttpOptions {
  /** Route tables of every actor behind this port. */
  readonly routes: readonly Route[];
  /** Address to listen on; 127.0.0.1 when absent. */
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly clock: Clock;
  /** The certificate with its chain, and its key, in PEM; plain HTTP without. */
  readonly tls?: TlsPem;
  readonly tokens?: Tokens | TokenTable;
  /** Require a read token on public routes too. */
  readonly requireToken?: boolean;
  /** Called for every caller that a route with a scope refused. */
  readonly refused?: (refusal: Refusal) => void;
  /** Names this server answers for besides loopback ones. */
  readonly hostNames?: readonly string[];
  /** Origins whose pages may read the shared routes, or `*`; none when absent. */
  readonly corsOrigins?: readonly string[];
  readonly upgrades?: readonly Upgrade[];
  /** The title of this server in the OpenAPI description. */
  readonly title: string;
  readonly version: string;
  readonly limits?: Partial<HttpLimits>;
  /** Reverse proxies whose word about the client is believed; none when absent. */
  readonly fronts?: Fronts;
  readonly health?: readonly HealthCheck[];
  readonly metrics?: MetricsProvider;
  /** Only `routes`: no /health, /metrics or /openapi.json (an origin that serves its own files). */
  readonly bare?: boolean;
}

/** A listening server. Disposing ends it: unfinished answers get `closeGraceMs`, then every connection is cut. */
export interface HttpServer extends AsyncDisposable {
  /** The address for people, with a trailing slash. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly activeRequests: number;
  /** Answers that stay open; `activeRequests` is without them. */
  readonly standingAnswers: number;
  /** Use this certificate for new connections. Throws the TLS error of an invalid one, and keeps the old one. */
  renewTls(tls: TlsPem): void;
}

/**
 * Open the one HTTP server of a process: routes, `/health`, `/metrics`, `/openapi.json` and upgrades on one
 * port. Throws HTTP_PORT_IN_USE, HTTP_PORT_DENIED, HTTP_ADDRESS_UNAVAILABLE, and TypeError for two routes
 * that take the same requests.
 */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const limits = { ...defaultLimits, ...options.limits };
  // An empty host would listen on every address.
  const host = !options.host || options.host === 'localhost' ? '127.0.0.1' : options.host;
  const { routes, title, version, clock, health = [], metrics } = options;
  const service = options.bare ? [] : serviceRoutes(routes, { title, version, clock, health, metrics });
  const table = new RouteTable([...routes, ...service]);
  const tokens =
    options.tokens instanceof TokenTable
      ? options.tokens
      : new TokenTable(options.tokens, options.requireToken, clock);
  const crossOrigin = new CrossOrigin(options.corsOrigins ?? [], table);
  const fronts = options.fronts ?? new Fronts();
  const admission = new Admission({
    fronts,
    clientShare: limits.clientShare,
    clock,
    crossOrigin,
    hosts: hostRule(host, options.hostNames ?? []),
    maxRequests: limits.maxRequests,
    maxStanding: limits.maxStanding,
    clientStanding: limits.clientStanding,
  });
  const upgrades = new Upgrades(options.upgrades ?? [], admission);
  let connections: Connections | undefined;
  const refusals = new WeakMap<object, GarnerError>();

  // Loaded when a server starts: escaping a text for a page must not load a web framework.
  const { fastify } = await import('fastify');
  const app = fastify({
    // A proxy's X-Forwarded headers are never trusted: nothing here depends on them.
    trustProxy: false,
    bodyLimit: limits.maxBodyBytes,
    exposeHeadRoutes: false,
    // While closing, admission answers with our own error.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 2048, querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply) => {
      routing.answerError(error, request.raw, reply).catch(() => reply.raw.destroy());
    },
    serverFactory: (handler) => {
      const server = newServer(
        {
          maxHeaderSize: limits.maxHeaderBytes,
          headersTimeout: limits.headerTimeoutMs,
          requestTimeout: Math.max(limits.requestTimeoutMs, limits.headerTimeoutMs),
          keepAliveTimeout: limits.keepAliveMs,
          connectionsCheckingInterval: Math.min(1000, Math.ceil(limits.headerTimeoutMs / 2)),
        },
        options.tls,
        (request, response) => {
          const refusal = admission.enter(request, response);
          if (refusal !== undefined) refusals.set(request, refusal);
          handler(request, response);
        },
      );
      connections = trackConnections(server, {
        handshakeMs: options.tls === undefined ? undefined : limits.headerTimeoutMs,
        fronts,
        max: limits.maxConnections,
        perClient: shareOf(limits.maxConnections, limits.clientShare),
      });
      server.maxConnections = limits.maxConnections;
      server.setTimeout(limits.idleTimeoutMs, (socket) => {
        // A caller that waits for our work is not idle, however long it takes.
        if (admission.isAwaited(socket) || admission.isStanding(socket))
          socket.setTimeout(limits.idleTimeoutMs);
        else socket.destroy();
      });
      return server;
    },
    clientErrorHandler: (error, socket) => {
      // Bytes of an answer may already be sent: nothing may be inserted between them.
      // A failed TLS handshake leaves nothing to write on.
      if (admission.isBusy(socket) || !isParserError(error)) socket.destroy();
      else answerRaw(socket, parserRefusal(error, limits.maxHeaderBytes));
    },
  });
  const routing = mountRoutes(app, {
    ...{ table, tokens, admission, crossOrigin, refusals, refused: options.refused },
    maxBodyBytes: limits.maxBodyBytes,
  });
  app.server.on('upgrade', (request, socket, head) => upgrades.take(request, socket, head));
  await app.ready();
  await listen(app.server, host, options.port);

  const { port } = app.server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://${shownHost(host)}:${port}/`,
    host,
    port,
    get activeRequests() {
      return admission.count;
    },
    get standingAnswers() {
      return admission.standing;
    },
    renewTls: ({ cert, key }) => {
      if (app.server instanceof TlsServer) app.server.setSecureContext({ cert, key });
    },
    [Symbol.asyncDispose]: () => {
      closed ??= close(app, { admission, upgrades, clock, connections, graceMs: limits.closeGraceMs });
      return closed;
    },
  };
}

/** An address that a browser can open: a server on every address is shown as localhost. */
function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** A plain server, or one over TLS whose handshakes are bounded as request heads are. */
function newServer(options: ServerOptions, tls: TlsPem | undefined, take: RequestListener): Server {
  if (tls === undefined) return createServer(options, take);
  const { headersTimeout: handshakeTimeout } = options;
  return createTlsServer({ ...options, ...tls, ALPNProtocols: ['http/1.1'], handshakeTimeout }, take);
}

interface Connections {
  /** Cut those that have not sent a byte of their TLS handshake. */
  cutSilent(): void;
  cutAll(): void;
}

interface TrackOptions {
  /** Time for the handshake of TLS, where it speaks that. */
  readonly handshakeMs: number | undefined;
  readonly fronts: Fronts;
  readonly max: number;
  readonly perClient: number;
}

/** List the connections of a server, those in their TLS handshake included, and refuse plain HTTP on TLS. */
function trackConnections(server: Server, options: TrackOptions): Connections {
  const { handshakeMs, fronts, ...bounds } = options;
  const slots = new ClientSlots(bounds);
  const silent =
    handshakeMs === undefined
      ? undefined
      : rejectPlainHttp(server, {
          timeoutMs: handshakeMs,
          refuse: (socket) => answerRaw(socket, failure(httpErrors.HTTP_PLAIN_ON_TLS, {})),
        });
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    const from = socket.remoteAddress ?? '';
    // All clients of a proxy come from its address.
    const place = fronts.has(from) ? undefined : slots.enter(clientOf(from));
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      if (typeof place === 'object') place[Symbol.dispose]();
    });
    if (typeof place === 'string') socket.destroy();
  });
  return {
    cutSilent: () => silent?.[Symbol.dispose](),
    cutAll: () => {
      for (const socket of open) socket.destroy();
    },
  };
}

/** Whether an error is of node's HTTP parser, which reads a connection that works. */
function isParserError({ code = '' }: Error & { readonly code?: string }): boolean {
  return /^(?:HPE_|ERR_HTTP_)/.test(code);
}

interface Closing {
  readonly admission: Admission;
  readonly upgrades: Upgrades;
  readonly clock: Clock;
  readonly connections: Connections | undefined;
  readonly graceMs: number;
}

async function close(
  app: FastifyInstance,
  { admission, upgrades, clock, connections, graceMs }: Closing,
): Promise<void> {
  admission.close();
  const closed = new Promise<void>((resolve) => app.server.close(() => resolve()));
  upgrades.closeAll();
  connections?.cutSilent();

  const waiting = new AbortController();
  const grace = clock.sleep(graceMs, waiting.signal).catch(() => {
    // Every answer ended before the grace did.
  });
  await Promise.race([closed, grace]);
  waiting.abort();

  admission.abortAll();
  // One turn of the event loop for listeners of the signal to finish their answers.
  await new Promise((resolve) => setImmediate(resolve));
  app.server.closeAllConnections();
  connections?.cutAll();
  await closed;
  await app.close();
}
