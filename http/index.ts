// How Garner is asked: the one HTTP server of a process. Actors describe their routes as data; here they meet on one
// port behind one door that checks host names, tokens and limits, adds the security headers, compresses, and gives
// every error the same shape. Connections that leave HTTP (the wire) are handed on by path. The other half is the
// control door: how a second process speaks to the one that holds a store. What the routes mean is not known here.
export { type ControlCall, type ControlDoor, callControl } from './control-door.ts';
export { httpErrors } from './errors.ts';
export { escapeHtml } from './failure-answer.ts';
export { listen } from './listen.ts';
export {
  type Caller,
  type ParameterDescription,
  type Route,
  type RouteRequest,
  type RouteResponse,
  tokenScopes,
} from './route.ts';
export type { Refusal } from './routing.ts';
export { type HttpServer, serveHttp } from './server.ts';
export type { HealthCheck, MetricsProvider } from './service-routes.ts';
export { TokenBook, type TokenNote, tokenHash } from './token-book.ts';
export { controlCaller, reaches, TokenTable, tokenPattern } from './tokens.ts';
