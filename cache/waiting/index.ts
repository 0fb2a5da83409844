// Small structures for requests in flight and idle connections. Read in-flight-map.ts, then
// socket-idle-timer.ts.
export { InFlightMap } from './in-flight-map.ts';
export { SocketIdleTimer } from './socket-idle-timer.ts';
