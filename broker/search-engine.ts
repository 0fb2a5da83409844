import type { Lsn } from '../awareness/index.ts';
import type { QueryNode } from '../query/index.ts';
import type { Oid, SummaryObject } from '../soif/index.ts';

/** One change an engine is told of; a batch of them is indexed in one atomic step with its LSN. */
export type IndexChange =
  | { readonly kind: 'put'; readonly oid: Oid; readonly object: SummaryObject; readonly source: string }
  | { readonly kind: 'remove'; readonly oid: Oid };

/** What an engine can do beyond boolean words; a query that needs more falls back to evaluating candidates. */
export interface EngineCapabilities {
  readonly phrases: boolean;
  readonly ranked: boolean;
}

export interface SearchRequest {
  readonly query: QueryNode;
  /** How many hits to return, best first. */
  readonly limit: number;
  readonly offset: number;
  /** Keep only objects of these sources, when given. */
  readonly sources?: readonly string[];
  /** Keep only objects of these `Type` values, when given. */
  readonly types?: readonly string[];
  /** Weigh terms by these statistics of several indexes together, so that scores can be compared between them. */
  readonly statistics?: CollectionStatistics;
  /** Gives the search up between its steps. */
  readonly signal?: AbortSignal;
}

/** How often a term stands in the objects of an index. */
export interface TermStatistics {
  /** The attribute, in lower case, or `all` for what bare words search. */
  readonly field: string;
  readonly term: string;
  readonly objects: number;
  readonly occurrences: number;
}

/** What a query's terms are weighed by. */
export interface CollectionStatistics {
  /** How many objects there are. */
  readonly objects: number;
  readonly terms: readonly TermStatistics[];
}

/** What one term adds to the score of one object. */
export interface TermScore extends TermStatistics {
  /** Its share in the query, of 1. */
  readonly weight: number;
  /** How much rarer terms count for more. */
  readonly inverseFrequency: number;
  /** From 0 to 1.9: how often it stands there, and in how long a text. */
  readonly impact: number;
  readonly score: number;
}

/** How an object came by its score. */
export interface ScoreExplanation {
  readonly oid: Oid;
  /** Its place among all matches, from 1; undefined when it does not match. */
  readonly rank: number | undefined;
  readonly total: number;
  readonly score: number;
  readonly terms: readonly TermScore[];
  /** What the words standing near each other add. */
  readonly nearness: number;
  /** Terms that the best objects share, searched as well for long queries, and what they add. */
  readonly feedback: readonly TermScore[];
  /** What likeness to the other best objects adds or takes, for long queries. */
  readonly likeness: number;
}

/** What an engine that ranks can say about it. */
export interface Ranker {
  /** The statistics of the terms that would rank this query. */
  statistics(query: QueryNode): Promise<CollectionStatistics>;
  /** Why an object stands where it does; undefined when it is not indexed. */
  explain(request: MatchRequest & { readonly oid: Oid }): Promise<ScoreExplanation | undefined>;
}

/** A query for every match at once. */
export type MatchRequest = Pick<SearchRequest, 'query' | 'signal'>;

export interface EngineHit {
  readonly oid: Oid;
  /** Higher is better; comparable within one answer. */
  readonly score: number;
}

export interface Facet {
  readonly value: string;
  readonly count: number;
}

/** How many objects a search has read, of how many. */
export interface ScanReport {
  readonly read: number;
  readonly of: number;
}

export interface EngineAnswer {
  readonly hits: readonly EngineHit[];
  /** How many objects match in all. */
  readonly total: number;
  /** Counts over all matches by source and by `Type`, largest first (each before its own filter). */
  readonly facets: { readonly source: readonly Facet[]; readonly type: readonly Facet[] };
  /** Said by engines that read objects to decide. */
  readonly scanned?: ScanReport;
}

/** The Harvest Broker-Indexer interface (harvest.txt 3.3): boolean attribute queries, incremental updates. */
export interface SearchEngine extends AsyncDisposable {
  readonly name: string;
  readonly capabilities: EngineCapabilities;
  /** There when it ranks by more than the order of its objects. */
  readonly ranker?: Ranker | undefined;
  /** The store's LSN up to which this index is complete; 0 for an empty index. */
  readonly lsn: Lsn;
  /** How many objects are indexed. */
  readonly count: number;
  /** Index a batch and remember `lsn`, atomically: after a crash either all of it is there or none. */
  apply(changes: readonly IndexChange[], lsn: Lsn): Promise<void>;
  search(request: SearchRequest): Promise<EngineAnswer>;
  /** Every object that matches at one moment, best first, evaluated once; costs 36 bytes of memory a match. */
  matches(request: MatchRequest): Promise<Iterable<Oid>>;
  /** Indexed words that begin with `prefix` (already normalised), most frequent first. */
  complete(prefix: string, limit: number): Promise<readonly string[]>;
  /** Every object that is indexed, in the order of OIDs. */
  readonly oids?: (() => AsyncIterable<Oid>) | undefined;
  /** Call back when the index was lost and begun anew, `lsn` being 0 again, until the returned function is called. */
  onRenewed?(watcher: () => void): () => void;
  /** Forget everything; `lsn` is 0 afterwards. */
  clear(): Promise<void>;
}
