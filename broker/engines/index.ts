// Engines behind the `SearchEngine` interface. `SegmentedEngine` is the embedded one: documents get numbers, terms
// get posting lists in segments on an ordered key-value store, small segments are merged in the background, and a
// search is set algebra over those lists followed by a ranking of what matched. `ReferenceEngine` reads every object
// and is what the others are compared with.
export { titleOrder, urlOrder } from './documents/facet-attributes.ts';
export { GlimpseEngine } from './glimpse/glimpse-engine.ts';
export {
  type CollectionStatistics,
  type EngineAnswer,
  type EngineHit,
  type Facet,
  type FacetFilter,
  type IndexChange,
  type NamedFacet,
  orders,
  type PartialReading,
  type Ranker,
  type ResultOrder,
  type ScanReport,
  type ScoreExplanation,
  type SearchEngine,
  type SearchRequest,
  type TermScore,
  type TermStatistics,
} from './model/search-engine.ts';
export { SelfRepairingEngine } from './repair/self-repairing-engine.ts';
export type { FlexsearchOptions } from './segmented/engine-options.ts';
export { SegmentedEngine } from './segmented/segmented-engine.ts';
