// Listens for clients: makes one unambiguous request of what arrives, or refuses it, and writes the answer; also tunnels.
// Read http-door.ts, then request-head.ts.
// fast-lane/: reads connections before Node's parser and answers plain hits.
export { acceleratedHosts } from './accelerated-hosts.ts';
export { type AccessQuestion, type AccessRule, AccessRules } from './access.ts';
export { ConnectionSlots } from './connection-slots.ts';
export { type DoorCounts, doorCounts } from './door-counts.ts';
export { type DoorLimits, defaultDoorLimits } from './door-limits.ts';
export type { HttpDoorOptions } from './door-options.ts';
export {
  type FastLane,
  type FastLaneOptions,
  type LaneCounts,
  type LaneParts,
  openFastLane,
} from './fast-lane/fast-lane.ts';
export type {
  ReadyAnswer,
  ReadyAnswers,
  ReadyHead,
  ReadySource,
  RequestValues,
} from './fast-lane/ready-answer.ts';
export { type Learned, ReadyTable } from './fast-lane/ready-table.ts';
export { SlowSide } from './fast-lane/slow-side.ts';
export { type ConnectionEnds, StandIn } from './fast-lane/stand-in.ts';
export { type HttpDoor, openHttpDoor } from './http-door.ts';
export { IgnoredCookies } from './ignored-cookies.ts';
export { isOtherPeer } from './other-peer.ts';
export { Purging, type PurgingOptions } from './purging.ts';
export { answerRaw, parserRefusal } from './raw-answer.ts';
export { type AcceleratedHosts, requestKey } from './request-key.ts';
export { Tunnels } from './tunnels.ts';
