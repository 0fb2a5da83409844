// The floor of the house: what every folder may lean on and what leans on nothing. Errors are made from one
// table per folder, settings are plain data, time and chance are parameters, and events are published on named
// channels without knowing who listens.
export { ByteReader, ByteWriter } from './bytes.ts';
export { type Clock, ManualClock, systemClock } from './clock.ts';
export { defineErrors, type ErrorKind, failure, GarnerError, isGarnerError } from './errors.ts';
export { defineEvent } from './events.ts';
export { type Random, seededRandom, systemRandom } from './random.ts';
export type { Setting } from './setting.ts';
export { formatDuration, formatSize, parseDuration, parseSize } from './units.ts';
