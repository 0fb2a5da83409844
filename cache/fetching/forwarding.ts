import { failure, isGarnerError } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { couldNotFetch, isOwnError } from '../peers/index.ts';
import {
  type AbortSource,
  abortSignalOf,
  type CacheRequest,
  ClientAbort,
  type PeerRouter,
  type Route,
  type RouteResult,
  type Upstream,
  type UpstreamRequest,
  type UpstreamResponse,
} from '../requests/index.ts';
import { isSafeMethod, isSecureKey, type RawFields, urlOfKey } from '../rules/index.ts';
import type { OriginFailures } from './origin-failures.ts';
import { withDirective } from './outgoing-fields.ts';

/** An upstream's answer and its route. */
export interface Forwarded {
  readonly response: UpstreamResponse;
  readonly route: Route;
}

/** A request before its route is chosen. */
export type Outgoing = Omit<UpstreamRequest, 'route'> & Pick<CacheRequest, 'fromCache'>;

/** The means of forwarding, and the record of origins that fail. */
export interface ForwardParts {
  readonly router: PeerRouter;
  readonly upstream: Upstream;
  readonly troubles?: Pick<OriginFailures, 'note'>;
}

class RouteQuestion {
  readonly method: string;
  readonly url: string;
  readonly fields: RawFields;
  readonly fromCache: boolean;
  readonly isApart: boolean;
  readonly hasContent: boolean;
  readonly #leave: AbortSource;

  constructor({ method, url, fields, fromCache, content, signal }: Outgoing) {
    this.method = method;
    this.url = urlOfKey(url);
    this.fields = fields;
    this.fromCache = fromCache;
    this.isApart = isSecureKey(url);
    this.hasContent = content !== undefined;
    this.#leave = signal;
  }

  /** Created only for routers that read it. */
  get signal(): AbortSignal {
    return abortSignalOf(this.#leave);
  }
}

/** Without a spread: a copy by spread gets its own hidden class each time. */
function sentAlong(route: Route, outgoing: Outgoing): UpstreamRequest {
  const { method, url, origin, fields, content, contentLength, signal, onInterim } = outgoing;
  return {
    route,
    method,
    url: urlOfKey(url),
    origin,
    fields: fieldsFor(route, fields),
    content,
    contentLength,
    signal,
    onInterim,
  };
}

/** A sibling may answer only from its store, by RFC 2187 5.2.2; otherwise it sends 504. */
function fieldsFor(route: Route, fields: RawFields): RawFields {
  return route.to === 'sibling' ? withDirective(fields, 'only-if-cached') : fields;
}

// A sibling's 504 means that it has nothing stored, the others that it refuses or cannot answer.
const ofSiblings: ReadonlySet<number> = new Set([407, 502, 503, 504, 508]);

/** Whether an answer is about the peer itself. A parent that detects a loop sends 508 (RFC 5842 7.2). */
function passesOn({ to }: Route, { status, fields }: UpstreamResponse): boolean {
  if (to === 'sibling') return ofSiblings.has(status) || (status >= 400 && isOwnError(fields));
  return to === 'parent' && status === 508;
}

/** An unused answer up to this size is read to its end, so that its connection is kept. Bytes. */
const readAwayBytes = 64 * 1024;

/** Drop an answer. */
function letGo({ content, contentLength }: UpstreamResponse): void {
  if (contentLength !== undefined && contentLength <= readAwayBytes) content.resume();
  else content.destroy();
}

/** Whether a request may be sent again although it may have been received (RFC 9110 9.2.2). */
const isRepeatable = ({ method, content }: Outgoing) =>
  content === undefined && (isSafeMethod(method) || method === 'PUT' || method === 'DELETE');

/**
 * Whether a request that failed on one route may go along the next, before its content was read. One that may
 * not be repeated must not have been connected.
 */
function mayGoOn(outgoing: Outgoing, error: unknown): boolean {
  if (!isGarnerError(error)) return false;
  if (outgoing.content !== undefined) return !outgoing.content.readableDidRead;
  return isRepeatable(outgoing) || isGarnerError(error, cacheErrors.CACHE_UNREACHABLE);
}

/**
 * Send a request along the first route that answers. The next route is tried when one fails before its answer began and
 * no content of the request has been read, when a peer refuses, and when a parent could not fetch a repeatable request:
 * that parent's answer is used when no other route has a better one. Rejects with the last error.
 */
export async function forward(
  outgoing: Outgoing,
  { router, upstream, troubles }: ForwardParts,
): Promise<Forwarded> {
  const { content, signal } = outgoing;
  const answered = router.routes(new RouteQuestion(outgoing));
  // Awaiting a known result would cost every request a yield to the event loop.
  const routes = 'then' in answered ? await answered : answered;
  let last: unknown;
  // The first answer of a parent that could not fetch, and the routes of all such answers.
  let spare: Forwarded | undefined;
  const unable: Route[] = [];
  const reportUnable = (result: RouteResult) => {
    for (const route of unable) router.outcome(route, result);
  };
  for (const [at, route] of routes.entries()) {
    const isLast = at === routes.length - 1;
    const sent = sentAlong(route, outgoing);
    const watched = !isLast && content === undefined ? watch(sent, router) : undefined;
    try {
      const response = await upstream.send(watched?.request ?? sent);
      const isSpent = content?.readableDidRead === true;
      if (passesOn(route, response) && !isSpent && (!isLast || spare !== undefined)) {
        letGo(response);
        router.outcome(route, 'not-there');
      } else if (route.to === 'parent' && isRepeatable(outgoing) && couldNotFetch(response)) {
        unable.push(route);
        if (spare === undefined) spare = { response, route };
        else letGo(response);
      } else {
        if (spare !== undefined) letGo(spare.response);
        // If one parent could not fetch and another route could, the parent is to blame, not the origin.
        reportUnable(response.status < 500 ? 'lame' : 'answered');
        router.outcome(route, 'answered');
        return { response, route };
      }
    } catch (error) {
      // The client has disconnected: this shows nothing about the route.
      if (signal.aborted || content?.errored) {
        spare?.response.content.destroy();
        throw error;
      }
      // The watcher that gave it up knows the reason.
      if (watched?.isGivenUp() === true) continue;
      router.outcome(route, 'failed');
      if (route.to === 'origin') troubles?.note(sent.origin?.url ?? sent.url, error);
      last = error;
      if (!mayGoOn(outgoing, error)) {
        spare?.response.content.destroy();
        throw error;
      }
    } finally {
      watched?.end();
    }
  }
  reportUnable('answered');
  if (spare !== undefined) return spare;
  throw last;
}

/** A request that is broken off when its route is given up before the answer; undefined when not watched. */
function watch(request: UpstreamRequest, router: PeerRouter) {
  const { route, url, signal } = request;
  let sending: ClientAbort | undefined;
  let isGivenUp = false;
  const end = router.watch?.(route, request, () => {
    isGivenUp = true;
    sending?.leave(failure(cacheErrors.CACHE_SILENT, { url, why: 'it does not answer queries either' }));
  });
  if (end === undefined) return undefined;
  const own = ClientAbort.withAny([signal]);
  sending = own;
  return { request: { ...request, signal: own }, end, isGivenUp: () => isGivenUp };
}
