// Collects for a topic: rounds with every source, an object store of what was learned, an engine that follows
// the store's log, and a query manager in front of it. Engines stand behind one interface and are never the only
// copy of anything.

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
} from './administration/index.ts';
export type { Block } from './block-list.ts';
export { Broker } from './broker.ts';
export type { BrokerCheck } from './broker-check.ts';
export type { BrokerOptions } from './broker-options.ts';
export {
  type ClassicOrders,
  classicBroker,
  classicFault,
  classicSessionEnded,
  serveClassic,
} from './classic/index.ts';
export type {
  AwarenessReport,
  RoundNote,
  SchemeMeasure,
  SchemeReport,
  SourceStatus,
} from './collecting/index.ts';
export { type SourceAddress, serverAddress, sourceAddress, sourceFrom } from './collecting/index.ts';
export type { Duplicates } from './duplicates.ts';
export {
  engineErrors,
  FlexsearchEngine,
  type FlexsearchOptions,
  GlimpseEngine,
  type GlimpseSize,
  glimpseSizes,
  MendingEngine,
  maintenanceFailed,
  segmentsMerged,
} from './engines/index.ts';
export { brokerErrors } from './errors.ts';
export { brokerFault, indexed, queryAnswered, reindexing, sourceReplaced, sourceState } from './events.ts';
export { indexName } from './index-name.ts';
export type { LiveSetting } from './live-settings.ts';
export { ResultTemplates } from './result-templates.ts';
export { brokerRoutes } from './routes.ts';
export type { RankAnswer, SearchAnswer, SearchHit } from './search-answer.ts';
export type {
  EngineAnswer,
  EngineHit,
  IndexChange,
  SearchEngine,
  SearchRequest,
  TermScore,
} from './search-engine.ts';
export type { SearchReport } from './search-log.ts';
export { type AskedBy, searchParameters } from './search-parameters.ts';
export { askAt, brokerBehind, searchTogether, type TogetherAnswer } from './search-together/index.ts';
export { brokerSettings, indexBatchBytes, indexBatchObjects } from './settings.ts';
export { Synonyms } from './synonyms.ts';
export {
  objectMatched,
  QueryIndex,
  type ViewDefinition,
  type ViewStatus,
  Views,
  viewErrors,
  webhookTold,
} from './views/index.ts';
