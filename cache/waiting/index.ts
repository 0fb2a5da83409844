export { UnderWay } from './in-flight-map.ts';
export { Standstill } from './socket-idle-timer.ts';
