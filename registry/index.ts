// The directory of servers: each server registers a signed description of itself with a lease, and a Registry lists
// those whose leases run. Its store, index and pages are those of a Broker; cli puts the two together. Read
// descriptions/, then directory.ts and registration.ts.

export {
  type Application,
  ApplicationBook,
  ApplicationDesk,
  applicationControlRoutes,
  applicationRoute,
  ForeignServers,
} from './applications/index.ts';
export {
  type ContentSummary,
  changedShare,
  isWorthSending,
  printSummary,
  type RankedServer,
  readSummary,
  ServerSelector,
  type SummaryFacts,
  summarise,
} from './choosing/index.ts';
export { StoreFingerprint } from './coverage/index.ts';
export {
  type AttributeNote,
  attributeTables,
  CollectionSample,
  type Counted,
  type DescribedAttribute,
  type LinkState,
  printCounts,
  printLinks,
  publicAddress,
  type ServerLink,
  type ServerType,
  serverAttributes,
  serverTypes,
} from './descriptions/index.ts';
export { type Alike, Directory, type GatheredBy, type ListedServer } from './directory.ts';
export { registryErrors } from './errors.ts';
export { keyConflict } from './events.ts';
export { KeyWatch, keyRoutes } from './keys/index.ts';
export { AddressProofs } from './proof/index.ts';
export { type Candidate, Registrar } from './registrar.ts';
export { Registration } from './registration.ts';
export {
  askNearest,
  type KnownReplica,
  type Replica,
  Replicas,
  type ReplicasOptions,
  replicaRoutes,
} from './replicas/index.ts';
export { type DescribedServer, directoryRoutes, type Listed, type ServerEntry } from './routes.ts';
export { TopologyFeed, topologyRoutes } from './topology-feed.ts';
