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

/** An upstream's answer and who gave it. */
export interface Forwarded {
  readonly response: UpstreamResponse;
  readonly route: Route;
}

/** What is sent on, before a route is chosen. */
export type Outgoing = Omit<UpstreamRequest, 'route'> & Pick<CacheRequest, 'fromCache'>;

/** With what a request is sent on, and who is told of an origin that fails. */
export interface ForwardParts {
  readonly router: PeerRouter;
  readonly upstream: Upstream;
  readonly troubles?: Pick<OriginFailures, 'note'>;
}

/** What a router is asked. */
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

  /** Made for those alone who look at it. */
  get signal(): AbortSignal {
    return abortSignalOf(this.#leave);
  }
}

/** Each in its place: what is copied with a spread gets a hidden class of its own each time. */
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

/** A sibling is only to answer from what it has, as RFC 2187 5.2.2 has it; it says 504 otherwise. */
function fieldsFor(route: Route, fields: RawFields): RawFields {
  return route.to === 'sibling' ? withDirective(fields, 'only-if-cached') : fields;
}

// A sibling is asked for what it has: 504 says that it has it not, the others that it does not want to, or cannot.
const ofSiblings: ReadonlySet<number> = new Set([407, 502, 503, 504, 508]);

/** Whether a peer speaks of itself. A parent that sees its own request come back says 508 (RFC 5842 7.2). */
function passesOn({ to }: Route, { status, fields }: UpstreamResponse): boolean {
  if (to === 'sibling') return ofSiblings.has(status) || (status >= 400 && isOwnError(fields));
  return to === 'parent' && status === 508;
}

/** Longest content of an answer that is read to its end although nobody wants it, so that its connection is kept. */
const readAwayBytes = 64 * 1024;

/** An answer that nobody gets. */
function letGo({ content, contentLength }: UpstreamResponse): void {
  if (contentLength !== undefined && contentLength <= readAwayBytes) content.resume();
  else content.destroy();
}

/** Whether a request may be sent once more although it may have been received (RFC 9110 9.2.2). */
const isRepeatable = ({ method, content }: Outgoing) =>
  content === undefined && (isSafeMethod(method) || method === 'PUT' || method === 'DELETE');

/**
 * Whether a request that failed on one route may go along the next. What may not be repeated may do so when no connection
 * was made, and when nobody has begun to read its content.
 */
function mayGoOn(outgoing: Outgoing, error: unknown): boolean {
  if (!isGarnerError(error)) return false;
  if (outgoing.content !== undefined) return !outgoing.content.readableDidRead;
  return isRepeatable(outgoing) || isGarnerError(error, cacheErrors.CACHE_UNREACHABLE);
}

/**
 * Send a request along the first route that answers. The next one is tried when one fails before its answer began and
 * nothing of the request's content is gone, when a peer says that it cannot have it, and when a parent says that it could
 * not fetch what may be asked for once more: its answer is given when no other route has a better one. Throws what the last
 * one threw.
 */
export async function forward(
  outgoing: Outgoing,
  { router, upstream, troubles }: ForwardParts,
): Promise<Forwarded> {
  const { content, signal } = outgoing;
  const told = router.routes(new RouteQuestion(outgoing));
  // Awaiting what is known already would cost every request a turn.
  const routes = 'then' in told ? await told : told;
  let last: unknown;
  // The first answer of a parent that could not fetch, and all who gave such.
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
        // Where one that fetches for us could not and another could, it is to blame, not the origin.
        reportUnable(response.status < 500 ? 'lame' : 'answered');
        router.outcome(route, 'answered');
        return { response, route };
      }
    } catch (error) {
      // Who asks has broken it off: nothing is known of the route.
      if (signal.aborted || content?.errored) {
        spare?.response.content.destroy();
        throw error;
      }
      // Whoever gave it up knows why.
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

/** A request that is broken off when its route is given up before its answer begins; undefined when it is not watched. */
function watch(request: UpstreamRequest, router: PeerRouter) {
  const { route, url, signal } = request;
  let sending: ClientAbort | undefined;
  let isGivenUp = false;
  const end = router.watch?.(route, request, () => {
    isGivenUp = true;
    sending?.leave(failure(cacheErrors.CACHE_SILENT, { url, why: 'it answers no questions either' }));
  });
  if (end === undefined) return undefined;
  const own = ClientAbort.withAny([signal]);
  sending = own;
  return { request: { ...request, signal: own }, end, isGivenUp: () => isGivenUp };
}
