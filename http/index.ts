// The one HTTP server of a process. Actors describe their routes as data; they share one port behind one door that
// checks host names, tokens and limits, adds security headers, compresses, and gives every error the same shape.
// The control door connects a second process to the holder of a store. Read route.ts, then server.ts.

export { type ControlCall, type ControlDoor, callControl } from './control-door.ts';
export { isSharedOrigin } from './cross-origin.ts';
export { httpErrors } from './errors.ts';
export { type EventStreamOptions, eventStream, type StateEvent } from './event-stream.ts';
export { errorAnswer } from './failure-answer.ts';
export { escapeHtml, navigationHtml, type SitePage } from './html.ts';
export { type JsonSchema, schemas } from './json-schema.ts';
export { listen } from './listen.ts';
export { rejectPlainHttp } from './plain-http-on-tls.ts';
export {
  type Caller,
  type ParameterDescription,
  type Route,
  type RouteRequest,
  type RouteResponse,
  tokenScopes,
} from './route.ts';
export { checkParameters, isTracking } from './route-table.ts';
export type { Refusal } from './routing.ts';
export { type HttpServer, serveHttp } from './server.ts';
export type { HealthCheck, HealthFinding, MetricsProvider } from './service-routes.ts';
export { TokenBook, type TokenNote, tokenHash } from './token-book.ts';
export { controlCaller, reaches, TokenTable, tokenPattern } from './tokens.ts';
