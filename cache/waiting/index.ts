export { InFlightMap } from './in-flight-map.ts';
export { SocketIdleTimer } from './socket-idle-timer.ts';
