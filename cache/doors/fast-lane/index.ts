// The fast lane: stored responses that may be given as they are, straight from a socket. A head is plain when it can be
// read in one way only and asks for nothing but the response; what asks for more but ends where it ends for everybody,
// or is not ready, is answered by the door (`LaneReply`), or beside it (`SlowSide`) where a worker has none; all else
// gets node's HTTP server the connection, with every byte that was read of it. What is ready is learned from what was
// answered the slow way.
export {
  type FastLane,
  type FastLaneOptions,
  type LaneCounts,
  type LaneParts,
  openFastLane,
} from './fast-lane.ts';
export type { ReadyAnswer, ReadyAnswers, ReadyHead, ReadySource, RequestValues } from './ready-answer.ts';
export { type Learned, ReadyTable } from './ready-table.ts';
export { SlowSide } from './slow-side.ts';
