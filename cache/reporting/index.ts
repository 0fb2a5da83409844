export {
  type CachePlace,
  type CacheReport,
  cacheReport,
  type ListedObject,
  type Neighbour,
  type ReportedAnswers,
  type ReportedOrigin,
  type ReportedTrouble,
  reportedTrouble,
} from './cache-report.ts';
export { Counters, type Counts } from './counters.ts';
export { Decisions, type Remembered } from './recent-decisions.ts';
export { type Latency, latencyBoundsMs, latencySlot, Tally } from './request-statistics.ts';
