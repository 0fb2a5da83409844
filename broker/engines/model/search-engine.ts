import type { Lsn } from '../../../awareness/index.ts';
import type { Language, QueryNode } from '../../../query/index.ts';
import type { Oid, SummaryObject } from '../../../soif/index.ts';

/** One change an engine is told of; a batch of them is indexed in one atomic step with its LSN. */
export type IndexChange =
  | { readonly kind: 'put'; readonly oid: Oid; readonly object: SummaryObject; readonly source: string }
  | { readonly kind: 'remove'; readonly oid: Oid };

/** What an engine can do beyond boolean words; a query that needs more falls back to evaluating candidates. */
export interface EngineCapabilities {
  readonly phrases: boolean;
  readonly ranked: boolean;
}

/** What results are ordered by instead of relevance: newest, largest, or first by name come first. */
export const orders = ['date', 'size', 'title', 'url'] as const;

/** An order of results. What has no date or size stands last either way; equal ones keep the index's order. */
export interface ResultOrder {
  readonly by: (typeof orders)[number];
  /** Oldest, smallest, or last by name first. */
  readonly reversed: boolean;
}

/** Objects with one of these values. */
export interface FacetFilter {
  /** `year`, `month`, or a counted attribute in lower case. */
  readonly facet: string;
  readonly values: readonly string[];
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
  /** Keep only objects that pass each of these. */
  readonly filters?: readonly FacetFilter[];
  /** Facets to count besides source and type; those the engine does not have stay empty. */
  readonly facets?: readonly string[];
  /** By relevance when absent. */
  readonly order?: ResultOrder;
  /** Show objects whose documents have the same bytes (MD5) as one hit: the first of them in this order. */
  readonly fold?: boolean;
  /** Most hits of one source in the whole list. */
  readonly perSource?: number;
  /** Weigh terms by these statistics of several indexes together, so that scores can be compared between them. */
  readonly statistics?: CollectionStatistics;
  /** Gives the search up between its steps. */
  readonly signal?: AbortSignal;
  /** Counts what is read to decide; given with each search for one question, it bounds them together. */
  readonly reads?: ReadCount;
  /** Whether the answer is to have the whole list. */
  readonly whole?: boolean;
  /** Where too many objects would have to be read: whether to read as many as may be and say so, instead of rejecting. */
  readonly partial?: boolean;
}

/** How many objects the searches for one question have read. */
export interface ReadCount {
  objects: number;
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
  /** Of a beginning, a word with errors, a part of a word or an expression: what it stands for. */
  readonly group?: TermGroupScore;
}

/** The terms that a part of a query stands for together. */
export interface TermGroupScore {
  /** How many it is ranked by; 256 at the most. */
  readonly terms: number;
  /** Those of them that the object has, at most ten. */
  readonly found: readonly string[];
}

/** What adds to a score that is not in the text. */
export interface SignalScore {
  /** Seconds since 1970 of the document's own date; null where it has none or dates do not count. */
  readonly modifiedAt: number | null;
  /** What being new adds. */
  readonly freshness: number;
  /** Other hosts from which it is linked to. */
  readonly linkingHosts: number;
  /** What these links add. */
  readonly popularity: number;
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
  /** What its date and links to it add; null where neither counts. */
  readonly signals: SignalScore | null;
}

/** What an engine that ranks can say about it. */
export interface Ranker {
  /** The statistics of the terms that would rank this query. */
  statistics(query: QueryNode): Promise<CollectionStatistics>;
  /** Why an object stands where it does; undefined when it is not indexed. */
  explain(request: MatchRequest & { readonly oid: Oid }): Promise<ScoreExplanation | undefined>;
}

/** A query for every match at once. */
export type MatchRequest = Omit<SearchRequest, 'limit' | 'offset' | 'facets' | 'whole' | 'partial'>;

export interface EngineHit {
  readonly oid: Oid;
  /** Higher is better; comparable within one answer. */
  readonly score: number;
  /** Others with the same bytes that this hit stands for, in the order of the index: at most ten. */
  readonly also?: readonly Oid[];
  /** How many those are in all. */
  readonly alsoTotal?: number;
}

export interface Facet {
  readonly value: string;
  readonly count: number;
}

export interface NamedFacet {
  readonly name: string;
  readonly values: readonly Facet[];
}

/** How many objects a search has read, of how many. */
export interface ScanReport {
  readonly read: number;
  readonly of: number;
}

/** A part of a query that was looked for in some of the objects that may have it, the newest in the index. */
export interface PartialReading {
  /** The part, as a query. */
  readonly part: string;
  /** How many objects were read for it. */
  readonly read: number;
  /** How many would have to be. */
  readonly of: number;
}

export interface EngineAnswer {
  readonly hits: readonly EngineHit[];
  /** How many objects match in all. */
  readonly total: number;
  /** Counts over all matches by source and by `Type`, largest first (each before its own filter). */
  readonly facets: {
    readonly source: readonly Facet[];
    readonly type: readonly Facet[];
    /** The others that were asked for: times newest first, values largest first, at most 100. */
    readonly more?: readonly NamedFacet[];
  };
  /** How many hits the whole list has, where folding and grouping make it shorter than `total`. */
  readonly entries?: number;
  /** Said by engines that read objects to decide. */
  readonly scanned?: ScanReport;
  /** What was looked for in part only: nothing is said of the other objects, and they are left out. */
  readonly partial?: readonly PartialReading[];
  /** What `matches` would have given, where the whole list was asked for. */
  readonly list?: Iterable<Oid>;
}

/** An indexed word that is written much like another. */
export interface SimilarWord {
  readonly word: string;
  /** How many objects have it, or a form of it. */
  readonly objects: number;
  /** Letters inserted, deleted, replaced, or swapped with their neighbours. */
  readonly edits: number;
}

/** What an index knows of a word and of those like it. */
export interface WordKnowledge {
  /** How many objects have the word, or a form of it; of one that is not rare, as many as tell that. */
  readonly objects: number;
  /** Words that may have been meant, best first; none for a word that is not rare. */
  readonly similar: readonly SimilarWord[];
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
  /** How many of them are in each language. */
  readonly languages: ReadonlyMap<Language, number>;
  /** The language of objects that tell none. */
  readonly fallback: Language;
  /**
   * Index a batch and remember `lsn`, atomically: after a crash either all of it is there or none. The batch follows on
   * LSN `after`: an engine that was begun anew meanwhile rejects it with ENGINE_ANEW.
   */
  apply(changes: readonly IndexChange[], lsn: Lsn, after?: Lsn): Promise<void>;
  search(request: SearchRequest): Promise<EngineAnswer>;
  /** The attributes that can be counted, in lower case, besides source, type and time. */
  readonly facetAttributes?: readonly string[];
  /** The whole list at one moment, in its order, evaluated once; costs 36 bytes of memory a hit. */
  matches(request: MatchRequest): Promise<Iterable<Oid>>;
  /** Indexed words that begin with `prefix` (already normalised), most frequent first. */
  complete(prefix: string, limit: number): Promise<readonly string[]>;
  /** Every object that is indexed, in the order of OIDs. */
  readonly oids?: (() => AsyncIterable<Oid>) | undefined;
  /** What is known of a normalised word; an engine without a vocabulary leaves it out. */
  lookUp?(word: string, limit: number): Promise<WordKnowledge>;
  /** Call back when the index was lost and begun anew, `lsn` being 0 again, until the returned function is called. */
  onRenewed?(watcher: () => void): () => void;
  /** Forget everything; `lsn` is 0 afterwards. */
  clear(): Promise<void>;
}
