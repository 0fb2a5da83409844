// The types that the parts of a cache exchange: requests, answers, decisions, and the interfaces of
// upstream and router. Read request-response.ts, then decision.ts.
export { type AbortSource, abortSignalOf, ClientAbort } from './client-abort.ts';
export { cacheStatusOf, type Decision } from './decision.ts';
export { brokenDecision, clientsError, failedDecision, isOfUpstream, reportedError } from './failures.ts';
export type {
  CacheAnswer,
  CacheRequest,
  PeerRouter,
  Route,
  RouteResult,
  Upstream,
  UpstreamRequest,
  UpstreamResponse,
} from './request-response.ts';
export { urlKey } from './url-key.ts';
