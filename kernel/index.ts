// The base that every folder may import and that imports no other folder: errors from one table per folder,
// settings as plain data, time and chance as parameters, events on named channels, queues and caches. Read
// errors.ts, then setting.ts.
export { ByteReader, ByteWriter } from './bytes.ts';
export { ClientSlots, clientOf, Fronts, LineBound, type Sender, shareOf } from './clients.ts';
export { alarm, type Clock, ManualClock, Nap, systemClock } from './clock.ts';
export { cutAtWord, graphemeStart } from './cut-text.ts';
export {
  defineErrors,
  type ErrorKind,
  failure,
  GarnerError,
  isGarnerError,
  type Retry,
} from './errors.ts';
export { defineEvent } from './events.ts';
export { editDistance, nearest } from './nearest.ts';
export { inSlices, Pacing, yieldToEventLoop } from './pacing.ts';
export { type Random, seededRandom, systemRandom } from './random.ts';
export { RecentMap } from './recent-map.ts';
export type { Setting } from './setting.ts';
export { TaskQueue } from './task-queue.ts';
export { formatDuration, formatSize, parseDuration, parseSize } from './units.ts';
