import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failure, type GarnerError, isGarnerError } from '../kernel/index.ts';
import { type Admission, mayHaveBody } from './admission.ts';
import { prepareAnswer } from './answer.ts';
import type { CrossOrigin } from './cross-origin.ts';
import { httpErrors } from './errors.ts';
import { requestFailed } from './events.ts';
import { callersError, failureResponse } from './failure-answer.ts';
import type { Caller, Route, RouteRequest, RouteResponse, Scope } from './route.ts';
import { checkParameters, type RouteTable } from './route-table.ts';
import { needlessHeaders } from './security-headers.ts';
import type { TokenTable } from './tokens.ts';

interface RoutingParts {
  readonly table: RouteTable;
  readonly tokens: TokenTable;
  readonly admission: Admission;
  readonly crossOrigin: CrossOrigin;
  /** Requests that were not admitted, with the reason; they are answered like any other error. */
  readonly refusals: WeakMap<object, GarnerError>;
  readonly maxBodyBytes: number;
  readonly refused?: ((refusal: Refusal) => void) | undefined;
}

export interface Refusal {
  readonly method: string;
  /** The table's path, never the caller's. */
  readonly route: string;
  readonly scope: Scope;
  /** The name of the token that was sent, if it is a known one. */
  readonly caller: string | undefined;
  readonly code: string;
}

/** The error answers for faults that the framework finds before any route. */
export interface Routing {
  answerError(error: unknown, request: IncomingMessage, reply: FastifyReply): Promise<void>;
}

/** Mount a table on the framework: scopes before bodies, our error shape everywhere, 404 and 405 by the table. */
export function mountRoutes(app: FastifyInstance, parts: RoutingParts): Routing {
  const { table, tokens, admission, crossOrigin, refusals } = parts;

  const answer = async (request: IncomingMessage, reply: FastifyReply, response: RouteResponse) => {
    const { signal, route, isStanding } = admission.exchange(request);
    const prepared = await prepareAnswer(
      {
        method: request.method ?? 'GET',
        acceptEncoding: request.headers['accept-encoding'],
        ifNoneMatch: request.headers['if-none-match'],
        signal,
        isStanding,
      },
      response,
    );
    if (signal.aborted && reply.raw.destroyed) {
      if (prepared.body !== undefined && 'destroy' in prepared.body) prepared.body.destroy();
      return;
    }
    if (prepared.body !== undefined && 'on' in prepared.body)
      prepared.body.once('error', (error) => {
        if (!signal.aborted) requestFailed.publish({ method: request.method ?? '-', route, error });
      });
    for (const name of needlessHeaders(prepared.headers['content-type'])) reply.raw.removeHeader(name);
    // What every answer of the path varies by, and what this one does.
    const vary = [reply.raw.getHeader('vary'), prepared.headers.vary].filter(Boolean).join(', ');
    const headers = { ...prepared.headers, ...(vary !== '' && { vary }) };
    reply.code(prepared.status).headers(headers as Record<string, string>);
    reply.send(prepared.body);
  };

  const answerError = async (
    error: unknown,
    request: IncomingMessage,
    reply: FastifyReply,
    body?: Route['body'],
  ): Promise<void> => {
    // The framework cuts a stream that breaks off: its headers were sent already.
    if (reply.raw.headersSent || reply.raw.destroyed) {
      reply.raw.destroy();
      return;
    }
    const { route, signal, sender } = admission.exchange(request);
    // The reason for any error of an aborted route is the abort.
    const interrupted = signal.aborted && !isGarnerError(error);
    const reported = interrupted
      ? failure(httpErrors.HTTP_CLOSING, {}, error)
      : callersError(error, { method: request.method ?? '-', route }, body?.maxBytes ?? parts.maxBodyBytes);
    if (isGarnerError(reported, httpErrors.HTTP_BODY_TOO_LARGE)) body?.refused(reported, sender.client);
    // The rest of a refused body is not read.
    if (hasUnreadBody(request)) reply.raw.setHeader('connection', 'close');
    await answer(request, reply, failureResponse(reported, request.headers.accept));
  };

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler(async (error, request, reply) => {
    await answerError(error, request.raw, reply);
    return reply;
  });
  app.addHook('onRequest', async (request) => {
    const refusal = refusals.get(request.raw);
    if (refusal !== undefined) throw refusal;
  });
  app.setNotFoundHandler(async (request, reply) => {
    const allowed = table.methodsAt(pathOf(request.raw.url ?? '/'));
    // A browser sends no token with it.
    const preflight = crossOrigin.preflight(request.raw);
    if (preflight !== undefined) {
      await answer(request.raw, reply, { status: 204, headers: { allow: allowed.join(', '), ...preflight } });
      return reply;
    }
    const { client } = admission.exchange(request.raw).sender;
    await tokens.check('public', request.headers.authorization, client);
    if (allowed.length === 0) throw failure(httpErrors.HTTP_NOT_FOUND, {});
    const { method } = request;
    if (method !== 'OPTIONS')
      throw failure(httpErrors.HTTP_METHOD_NOT_ALLOWED, { method, allowed: allowed.join(', ') });
    await answer(request.raw, reply, { status: 204, headers: { allow: allowed.join(', ') } });
    return reply;
  });

  const callers = new WeakMap<IncomingMessage, Caller>();
  const admit = async (route: Route, request: IncomingMessage): Promise<void> => {
    const { authorization } = request.headers;
    try {
      const caller = await tokens.check(
        route.scope,
        authorization,
        admission.exchange(request).sender.client,
      );
      if (caller !== undefined) callers.set(request, caller);
    } catch (error) {
      if (route.scope !== 'public' && isGarnerError(error))
        parts.refused?.({
          ...{ method: route.method, route: route.path, scope: route.scope, code: error.code },
          caller: tokens.presented(authorization)?.name,
        });
      throw error;
    }
  };

  for (const route of table.routes)
    app.route({
      ...(route.body !== undefined && {
        bodyLimit: Math.min(route.body.maxBytes, parts.maxBodyBytes),
        errorHandler: async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
          await answerError(error, request.raw, reply, route.body);
          return reply;
        },
      }),
      method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
      url: route.path,
      // Before the body is read: an unknown caller makes no work.
      onRequest: async (request, reply) => {
        admission.exchange(request.raw).route = route.path;
        if (route.takesNoBody === true && mayHaveBody(request.raw))
          throw failure(httpErrors.HTTP_BODY_TOO_LARGE, { limit: 0 });
        if (route.judgesCallers !== true) await admit(route, request.raw);
        // HEAD gets no body, so nothing stays open.
        if (route.isStanding === true && request.method !== 'HEAD') admission.stand(reply.raw);
      },
      handler: async (request, reply) => {
        admission.received(reply.raw);
        const { signal, sender } = admission.exchange(request.raw);
        const caller = callers.get(request.raw);
        const { client } = sender;
        const parsed = { ...routeRequest(route, request), signal, client, ...(caller && { caller }) };
        checkParameters(route, parsed);
        const response = await route.handle(parsed);
        await answer(request.raw, reply, caller === undefined ? response : unshared(response));
        return reply;
      },
    });
  return { answerError };
}

/** An answer that a token opened: no cache keeps it for callers without one. */
function unshared(response: RouteResponse): RouteResponse {
  if (response.headers?.['cache-control'] === 'no-store') return response;
  return { ...response, headers: { ...response.headers, 'cache-control': 'private, no-store' } };
}

function hasUnreadBody(request: IncomingMessage): boolean {
  return !request.complete && mayHaveBody(request);
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

function routeRequest(route: Route, request: FastifyRequest): Omit<RouteRequest, 'signal' | 'client'> {
  const { raw } = request;
  const url = raw.url ?? '/';
  const params = request.params as Record<string, string>;
  const rest = params['*'];
  if (rest !== undefined && !isPlainPath(rest)) throw failure(httpErrors.HTTP_BAD_PATH, {});
  const { query, queries } = queryOf(url);
  return {
    method: route.method,
    url,
    path: pathOf(url),
    params,
    query,
    queries,
    headers: flatHeaders(raw),
    body: request.body instanceof Uint8Array ? request.body : new Uint8Array(0),
  };
}

/** Whether a decoded rest of a path stays below its start, for any use by the route. */
function isPlainPath(rest: string): boolean {
  // On some systems a backslash separates too.
  return !rest.includes('\0') && !rest.split(/[/\\]/).some((segment) => segment === '.' || segment === '..');
}

/** Objects without prototype: a parameter named `constructor` is absent unless it was sent. */
function queryOf(url: string): Pick<RouteRequest, 'query' | 'queries'> {
  const query: Record<string, string> = Object.create(null);
  const queries: Record<string, string[]> = Object.create(null);
  const at = url.indexOf('?');
  if (at < 0) return { query, queries };
  for (const [name, value] of new URLSearchParams(url.slice(at + 1))) {
    query[name] ??= value;
    queries[name] ??= [];
    queries[name].push(value);
  }
  return { query, queries };
}

function flatHeaders(request: IncomingMessage): Readonly<Record<string, string | undefined>> {
  const flat: Record<string, string | undefined> = Object.create(null);
  for (const [name, value] of Object.entries(request.headers))
    flat[name] = Array.isArray(value) ? value.join(', ') : value;
  return flat;
}
