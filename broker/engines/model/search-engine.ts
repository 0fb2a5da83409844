import type { Lsn } from '../../../awareness/index.ts';
import type { Language, QueryNode } from '../../../query/index.ts';
import type { Oid, SummaryObject } from '../../../soif/index.ts';

/** One change for an engine. A batch of them is indexed in one atomic step with its LSN. */
export type IndexChange =
  | { readonly kind: 'put'; readonly oid: Oid; readonly object: SummaryObject; readonly source: string }
  | { readonly kind: 'remove'; readonly oid: Oid };

/** Abilities beyond boolean words. A query that needs more falls back to evaluating candidates. */
export interface EngineCapabilities {
  readonly phrases: boolean;
  readonly ranked: boolean;
}

/** Orders of results instead of relevance: newest, largest, or first by name come first. */
export const orders = ['date', 'size', 'title', 'url'] as const;

/** An order of results. Objects without a date or size come last. Equal ones keep the index's order. */
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
  /** Max hits to return, best first. */
  readonly limit: number;
  readonly offset: number;
  readonly sources?: readonly string[];
  /** Only objects of these `Type` values, when given. */
  readonly types?: readonly string[];
  /** Only objects that pass each of these. */
  readonly filters?: readonly FacetFilter[];
  /** Facets to count besides source and type. Those that the engine does not have stay empty. */
  readonly facets?: readonly string[];
  /** By relevance when absent. */
  readonly order?: ResultOrder;
  /** Show objects whose documents have the same bytes (MD5) as one hit: the first of them in this order. */
  readonly fold?: boolean;
  /** Max hits of one source in the whole list. */
  readonly perSource?: number;
  /** Weigh terms by these statistics of several indexes together, so that scores can be compared between them. */
  readonly statistics?: CollectionStatistics;
  /** Aborts the search between its steps. */
  readonly signal?: AbortSignal;
  /** Counts the objects read. All searches for one question share it, which bounds them together. */
  readonly reads?: ReadCount;
  /** Find objects too whose file name is the query, or has all its words. Engines that file no names ignore this. */
  readonly names?: 'whole' | 'words';
  /** Whether the answer includes the whole list. */
  readonly whole?: boolean;
  /** With too many objects to read: read as many as allowed and report that, instead of rejecting. */
  readonly partial?: boolean;
}

/** How many objects the searches for one question have read. */
export interface ReadCount {
  objects: number;
}

/** How often a term occurs in the objects of an index. */
export interface TermStatistics {
  /** The attribute, in lower case, or `all` for the field of bare words. */
  readonly field: string;
  readonly term: string;
  readonly objects: number;
  readonly occurrences: number;
}

/** The statistics by which a query's terms are weighed. */
export interface CollectionStatistics {
  readonly objects: number;
  readonly terms: readonly TermStatistics[];
}

/** The contribution of one term to the score of one object. */
export interface TermScore extends TermStatistics {
  /** Its share in the query, of 1. */
  readonly weight: number;
  /** The extra weight of rarer terms. */
  readonly inverseFrequency: number;
  /** From 0 to 1.9, by its frequency in the object and the length of the text. */
  readonly impact: number;
  readonly score: number;
  /** For a prefix, a word with errors, a part of a word or an expression: its terms. */
  readonly group?: TermGroupScore;
}

/** The terms that a part of a query matches. */
export interface TermGroupScore {
  /** Number of terms by which it is ranked; at most 256. */
  readonly terms: number;
  /** Those of them that the object has, at most ten. */
  readonly found: readonly string[];
}

/**
 * What of an object is the query: its title, in other forms, in part; its file name; a heading; words that follow each
 * other; names with their signs.
 */
export type TypedPlace =
  | 'title'
  | 'title-forms'
  | 'title-part'
  | 'file-name'
  | 'heading'
  | 'phrase'
  | 'signs';

/** The gain of an object by a title, heading or file name that is the query. */
export interface TypedScore {
  readonly place: TypedPlace;
  readonly score: number;
}

/** Contributions to a score from outside the text. */
export interface SignalScore {
  /** The document's own date in seconds since 1970; null where it has none or dates do not count. */
  readonly modifiedAt: number | null;
  /** The contribution of its age. */
  readonly freshness: number;
  /** Number of other hosts that link to it. */
  readonly linkingHosts: number;
  /** The contribution of these links. */
  readonly popularity: number;
}

export interface ScoreExplanation {
  readonly oid: Oid;
  /** Its place among all matches, from 1; undefined when it does not match. */
  readonly rank: number | undefined;
  readonly total: number;
  readonly score: number;
  readonly terms: readonly TermScore[];
  /** The contribution of words near each other. */
  readonly nearness: number;
  /** Terms shared by the best objects, which long queries search as well, and their contributions. */
  readonly feedback: readonly TermScore[];
  /** The change from likeness to the other best objects, for long queries. */
  readonly likeness: number;
  /** The contributions of its date and of links to it; null where neither counts. */
  readonly signals: SignalScore | null;
  /** The gain of a title or heading that is the query; null where none is. */
  readonly typed: TypedScore | null;
}

/** The parts of an engine that ranks. */
export interface Ranker {
  /** The statistics of the terms that would rank this query. */
  statistics(query: QueryNode): Promise<CollectionStatistics>;
  /** How an object's score is made up; undefined when it is not indexed. */
  explain(request: MatchRequest & { readonly oid: Oid }): Promise<ScoreExplanation | undefined>;
}

/** A query for every match at once. */
export type MatchRequest = Omit<SearchRequest, 'limit' | 'offset' | 'facets' | 'whole' | 'partial'>;

export interface EngineHit {
  readonly oid: Oid;
  /** Higher is better; comparable within one answer. */
  readonly score: number;
  /** Other objects with the same bytes, folded into this hit, in the order of the index: at most ten. */
  readonly also?: readonly Oid[];
  /** The number of all of these. */
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

/** The number of objects that a search has read, and their total. */
export interface ScanReport {
  readonly read: number;
  readonly of: number;
}

/** A part of a query that was searched for in only some of its candidates, the newest in the index. */
export interface PartialReading {
  /** The part, as a query. */
  readonly part: string;
  /** Number of objects read for it. */
  readonly read: number;
  /** Number of objects that may contain it. */
  readonly of: number;
}

export interface EngineAnswer {
  readonly hits: readonly EngineHit[];
  /** Number of all objects that match. */
  readonly total: number;
  /** Counts over all matches by source and by `Type`, largest first (each before its own filter). */
  readonly facets: {
    readonly source: readonly Facet[];
    readonly type: readonly Facet[];
    /** The other requested facets: times newest first, values largest first, at most 100. */
    readonly more?: readonly NamedFacet[];
  };
  /** Number of hits in the whole list, where folding and grouping make it shorter than `total`. */
  readonly entries?: number;
  /** Set by engines that read objects to decide. */
  readonly scanned?: ScanReport;
  /** Parts of the query that were searched for in only some objects. The others are left out. */
  readonly partial?: readonly PartialReading[];
  /** The result of `matches`, where the whole list was requested. */
  readonly list?: Iterable<Oid>;
}

/** A word and its number of objects. */
export type WordCount = readonly [word: string, objects: number];

export interface SimilarWord {
  readonly word: string;
  /** How many objects have it, or a form of it. */
  readonly objects: number;
  /** Letters inserted, deleted, replaced, or swapped with their neighbours. */
  readonly edits: number;
}

export interface WordKnowledge {
  /** How many objects have the word, or a form of it; for a frequent word only a lower bound. */
  readonly objects: number;
  /** Words that may have been meant, best first; none for a word that the index has. */
  readonly similar: readonly SimilarWord[];
}

/** The Harvest Broker-Indexer interface (harvest.txt 3.3): boolean attribute queries, incremental updates. */
export interface SearchEngine extends AsyncDisposable {
  readonly name: string;
  readonly capabilities: EngineCapabilities;
  /** Present when it ranks by more than the order of its objects. */
  readonly ranker?: Ranker | undefined;
  /** The store's LSN up to which this index is complete; 0 for an empty index. */
  readonly lsn: Lsn;
  /** Number of indexed objects. */
  readonly count: number;
  readonly languages: ReadonlyMap<Language, number>;
  /** The language of objects that do not name theirs. */
  readonly fallback: Language;
  /**
   * Index a batch and store `lsn`, atomically: after a crash either all of it is there or none. The batch
   * follows LSN `after`: an engine that was restarted meanwhile rejects it with ENGINE_ANEW.
   */
  apply(changes: readonly IndexChange[], lsn: Lsn, after?: Lsn): Promise<void>;
  search(request: SearchRequest): Promise<EngineAnswer>;
  /** The attributes that can be counted, in lower case, besides source, type and time. */
  readonly facetAttributes?: readonly string[];
  /** The whole list at one moment, in its order, evaluated once. Costs 36 bytes of memory a hit. */
  matches(request: MatchRequest): Promise<Iterable<Oid>>;
  /** Indexed words that begin with `prefix` (already normalised), most frequent first. */
  complete(prefix: string, limit: number): Promise<readonly string[]>;
  /** Every indexed object, in the order of OIDs. */
  readonly oids?: (() => AsyncIterable<Oid>) | undefined;
  /**
   * The words that bare words find, normalised, not stemmed, each with the number of objects that have it or a
   * form of it. The numbers of a word that occurs more than once add up. They may be somewhat too high, because
   * deleted objects are counted until their segment is merged. An engine without a vocabulary leaves this out.
   */
  readonly vocabulary?: (() => AsyncIterable<WordCount>) | undefined;
  /** Data on a normalised word. An engine without a vocabulary leaves this out. */
  lookUp?(word: string, limit: number): Promise<WordKnowledge>;
  /** Call back when the index was lost and restarted (`lsn` is 0), until the returned function is called. */
  onRenewed?(watcher: () => void): () => void;
  /** Remove everything. `lsn` is 0 afterwards. */
  clear(): Promise<void>;
}
