// The directory of servers: each server registers a signed description of itself with a lease, and a Registry lists
// those whose leases run. Its store, index and pages are those of a Broker; cli puts the two together. Read
// descriptions/, then directory.ts and registration.ts.

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
export { Directory, type ListedServer } from './directory.ts';
export { registryErrors } from './errors.ts';
export { KeyWatch, keyRoutes } from './keys/index.ts';
export { type Candidate, Registrar } from './registrar.ts';
export { Registration } from './registration.ts';
export { type DescribedServer, directoryRoutes, type ServerEntry } from './routes.ts';
export { TopologyFeed, topologyRoutes } from './topology-feed.ts';
