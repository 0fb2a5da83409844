// Search engines behind the `SearchEngine` interface. Read model/search-engine.ts, then
// segmented/segmented-engine.ts. Documents get numbers (docnos), terms get posting lists in segments, and a
// search is set algebra over these lists.
//
// codecs: numbers, words and posting lists as bytes; pure functions, each with its inverse.
// documents: the index's data of each document beside its words (columns, details, facet values, sort keys,
//   links in); read doc-columns.ts, then doc-details.ts.
// glimpse: Glimpse (harvest.txt 3.3; Manber and Wu 1994), a small index of the objects or blocks with a word,
//   completed by a scan of stored objects; read glimpse-engine.ts, candidates.ts, place-search.ts,
//   verifier.ts.
// index-database: keys, fields, the state that a commit replaces as a whole, batches of writes; read
//   index-keys.ts, then index-state.ts.
// model: the `SearchEngine` interface, and sets of docnos.
// postings: posting lists of terms, read from segments; read posting-reader.ts, then term-block.ts.
// reference: the engine that reads every object, with which the others are compared.
// repair: an engine that restarts a damaged index.
// results: from scores to a page of results; read result-page.ts.
// scoring: BM25 over fields, nearness, signals, feedback; read scores.ts, then ranking.ts.
// search: the documents that match a Boolean query; read boolean-search.ts, then word-search.ts.
// segmented: the embedded engine, which ranks.
// segments: written in threads, merged, and maintained beside queries; read segmented-index.ts,
//   segment-writer.ts, segment-merge.ts.
// vocabulary: the words of an index, and those that a query's word can mean; read term-finder.ts, then
//   word-blocks.ts.
export { titleOrder, urlOrder } from './documents/facet-attributes.ts';
export type { GlimpseEngine } from './glimpse/glimpse-engine.ts';
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
  type WordCount,
} from './model/search-engine.ts';
export { SelfRepairingEngine } from './repair/self-repairing-engine.ts';
export { maxScore } from './scoring/max-score.ts';
export { maxPhraseGain, maxTitleGain } from './scoring/typed-titles.ts';
export type { FlexsearchOptions } from './segmented/engine-options.ts';
export { SegmentedEngine } from './segmented/segmented-engine.ts';
