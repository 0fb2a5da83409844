// Collects from sources, one round after the other, and stores their objects. Read collector.ts, then
// collected-source.ts (one source's rounds), the base of dialled and pushed sources.
export {
  type AwarenessReport,
  type ReportOptions,
  reportAwareness,
  type SchemeReport,
} from './awareness-report.ts';
export { type Block, BlockList, deleteObjects } from './block-list.ts';
export { Collector } from './collector.ts';
export type { CollectingRules, SourceStatus } from './collector-options.ts';
export { type ObjectOrigin, originOf, sourceOf } from './object-origin.ts';
export { ObjectTable, type SourceRow } from './object-table.ts';
export { type ProvedObjects, provedObjects, proving } from './proved-objects.ts';
export { noQuotas, type QuotaLimits, Quotas } from './quotas.ts';
export type { SchemeMeasure } from './round-history.ts';
export {
  type SourceAddress,
  serverAddress,
  sourceAddress,
  sourceFrom,
  withoutSecrets,
} from './source-address.ts';
export { SourceBook, type SourceOrder } from './source-book.ts';
