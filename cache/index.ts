// The Object Cache: a shared HTTP cache with its peers, stores and doors; README.md names its rooms.
// Read requests/request-response.ts, then serving/object-cache.ts.
export { connectFaultOf } from './connect-faults.ts';
export {
  type AcceleratedHosts,
  type AccessRule,
  AccessRules,
  acceleratedHosts,
  type DoorCounts,
  type DoorLimits,
  defaultDoorLimits,
  doorCounts,
  type FastLane,
  type FastLaneOptions,
  type HttpDoor,
  type HttpDoorOptions,
  IgnoredCookies,
  type LaneParts,
  openHttpDoor,
  Purging,
  type PurgingOptions,
  Tunnels,
} from './doors/index.ts';
export { cacheErrors } from './errors.ts';
export { type EvictionPolicy, largestAdmitted } from './eviction/index.ts';
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
  type CacheReport,
  type Latency,
  type ListedObject,
  latencyBoundsMs,
  type Neighbour,
  type ReportedAnswers,
  type ReportedOrigin,
  type ReportedTrouble,
  RequestStatistics,
} from './reporting/index.ts';
export type { Upstream } from './requests/index.ts';
export {
  type CachePolicy,
  type ClientReload,
  defaultPolicy,
  QueryRules,
  type SharedCookies,
  type TtlRule,
} from './rules/index.ts';
export {
  cacheRoutes,
  type ExplainedEntry,
  type ExplainedRule,
  type Explanation,
  type ObjectCache,
  type OpenedCache,
  openCache,
  peerLookup,
} from './serving/index.ts';
export { type EntryStore, openEntryStore } from './storage/index.ts';
export { openUpstream, withSchemes } from './upstream/index.ts';
export {
  openHitWorker,
  openWorkers,
  type RelayPlace,
  type WorkerProcess,
  type Workers,
} from './workers/index.ts';
