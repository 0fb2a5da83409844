// Counts of what a cache did, and the report of its status. Read request-statistics.ts, then
// cache-report.ts.
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
export { RecentDecisions, type Remembered } from './recent-decisions.ts';
export { type Latency, latencyBoundsMs, latencySlot, RequestStatistics } from './request-statistics.ts';
