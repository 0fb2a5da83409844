// Collects objects for a topic: rounds with every source, an object store, an index that follows the store,
// and a query manager in front of it. Engines implement one interface and never hold the only copy of any
// data. Read service/broker.ts, then collecting/collector.ts and searching/query-manager.ts.
export {
  Administration,
  type AuditEntry,
  AuditTrail,
  administrationRoutes,
  auditedRoutes,
  type DeletionReport,
  type ListedSource,
  type RecentLine,
  type RecentLog,
  type Statistics,
  StoreCounts,
} from './administration/index.ts';
export type { ClassicOrders } from './classic/index.ts';
export {
  type AwarenessReport,
  type Block,
  type SchemeReport,
  type SourceAddress,
  type SourceStatus,
  serverAddress,
  sourceAddress,
  sourceFrom,
} from './collecting/index.ts';
export { engineErrors } from './engines/errors.ts';
export {
  type FlexsearchOptions,
  type GlimpseEngine,
  type IndexChange,
  type SearchEngine,
  SegmentedEngine,
  SelfRepairingEngine,
  type TermScore,
} from './engines/index.ts';
export { brokerErrors } from './errors.ts';
export { type BrokerCheck, indexName } from './indexing/index.ts';
export { indexBatchBytes, indexBatchObjects } from './indexing/settings.ts';
export { classicPort, glimpseEngine, publishing, searchesTogether } from './on-demand.ts';
export { type Publisher, readPublishers } from './publishing/publishers.ts';
export { type AskedBy, searchParameters } from './requests/index.ts';
export { brokerRoutes } from './routes/index.ts';
export type {
  Choice,
  ChooseBrokers,
  FederatedAnswer,
  ListedBroker,
  TogetherAnswer,
} from './search-together/index.ts';
export {
  type RankAnswer,
  ResultTemplates,
  type SearchAnswer,
  type SearchHit,
  type SearchReport,
  Synonyms,
} from './searching/index.ts';
export { Broker, type LiveSetting } from './service/index.ts';
export { brokerSettings, type GlimpseSize, glimpseSizes } from './settings.ts';
export type { Duplicates } from './upkeep/index.ts';
export { viewErrors } from './views/errors.ts';
export { objectMatched } from './views/events.ts';
export { QueryIndex, type ViewStatus, Views } from './views/index.ts';
