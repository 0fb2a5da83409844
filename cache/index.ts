/*
 * The Object Cache: an HTTP cache that others share, alone, before an origin or in a hierarchy. `doors/` takes requests and
 * writes answers, `ObjectCache` decides by the `rules/` of RFC 9111 between what `storage/` has and what an upstream says,
 * `eviction/` chooses who leaves a full store, and `peers/` finds who of the neighbours has it.
 */
export type {
  CachePlace,
  CacheReport,
  ListedObject,
  Neighbour,
  ReportedAnswers,
  ReportedOrigin,
  ReportedTrouble,
} from './cache-report.ts';
export { type AskedCache, cacheRoutes } from './cache-routes.ts';
export { connectFaultOf } from './connect-faults.ts';
export type { FastLane, FastLaneOptions, LaneParts, ReadyAnswers } from './doors/fast-lane/index.ts';
export {
  type AcceleratedHosts,
  type AccessRule,
  AccessRules,
  acceleratedHosts,
  type DoorCounts,
  type DoorLimits,
  defaultDoorLimits,
  doorCounts,
  type HttpDoor,
  type HttpDoorOptions,
  IgnoredCookies,
  openHttpDoor,
  Purging,
  type PurgingOptions,
  Tunnels,
} from './doors/index.ts';
export { cacheErrors } from './errors.ts';
export {
  answerBroken,
  cacheFault,
  cacheStoreTrouble,
  cacheWorkerLost,
  certificateRenewed,
  hitGiven,
  originFailed,
  peerChanged,
  requestAnswered,
} from './events.ts';
export {
  admits,
  type EvictionName,
  type EvictionPolicy,
  evictionPolicies,
  largestAdmitted,
} from './eviction/index.ts';
export type { Upstream } from './exchange.ts';
export type { ExplainedEntry, Explanation, ToldRule } from './explain.ts';
export type { ObjectCache } from './object-cache.ts';
export { type CacheOptions, type OpenedCache, openCache } from './open-cache.ts';
export { peerLookup } from './peer-lookup.ts';
export {
  askOnce,
  digestFetch,
  openPeers,
  originProbe,
  type PeerConfig,
  type PeerLookup,
  type Peers,
  parsePeer,
  plainAddress,
  sourceList,
} from './peers/index.ts';
export {
  type CachePolicy,
  type ClientReload,
  defaultPolicy,
  QueryRules,
  type SharedCookies,
  type TtlRule,
} from './rules/index.ts';
export { cacheSettings } from './settings.ts';
export { type EntryStore, openEntryStore } from './storage/index.ts';
export { type Latency, latencyBoundsMs, type Tallied, Tally } from './tally.ts';
export { openUpstream, type SchemeClients, withSchemes } from './upstream/index.ts';
export {
  openHitWorker,
  openWorkers,
  type RelayPlace,
  type WorkerProcess,
  type Workers,
} from './workers/index.ts';
