import type { MatchedLine, QueryOptions } from '../../query/index.ts';
import type { Oid } from '../../soif/index.ts';
import type {
  CollectionStatistics,
  Facet,
  FacetFilter,
  NamedFacet,
  PartialReading,
  ResultOrder,
  ScanReport,
  ScoreExplanation,
} from '../engines/index.ts';
import type { ShownAttribute } from './result-templates.ts';

/** What is searched for, and which part of the answer is wanted. */
export interface SearchParameters {
  readonly q: string;
  readonly limit: number;
  readonly offset: number;
  readonly sources: readonly string[];
  readonly types: readonly string[];
  /** Rank by these, of several Brokers together. */
  readonly statistics?: CollectionStatistics;
  /** Whether any of the words will do where no object has them all; it is taken to be so. */
  readonly widen?: boolean;
  /** Whether a corrected query is answered where nothing matches and words may be widened; it is taken to be so. */
  readonly correct?: boolean;
  /** What holds where the query's own text does not say otherwise. */
  readonly options?: QueryOptions;
  /** Answer what was asked and nothing else: no word is corrected or made optional. */
  readonly exact?: boolean;
  /** Keep only objects that pass each of these. */
  readonly filters?: readonly FacetFilter[];
  /** By relevance when absent. */
  readonly order?: ResultOrder;
  /** Documents with the same bytes are one hit. */
  readonly fold?: boolean;
  /** Most hits of one source. */
  readonly perSource?: number;
  /** `*` freezes the list, so that the cursors of its answers lead through it; then such a cursor. */
  readonly cursor?: string;
}

/** Where else the same bytes lie. */
export interface Copy {
  readonly oid: Oid;
  readonly url: string;
  readonly source: string;
  readonly sourceName: string;
}

/** A hit as people see it. Offsets count UTF-16 units. */
export interface SearchHit {
  readonly oid: Oid;
  readonly url: string;
  readonly title: string;
  readonly titleMatches: readonly (readonly [number, number])[];
  readonly snippet: string;
  readonly matches: readonly (readonly [number, number])[];
  /** Attributes that matched. */
  readonly attributes: readonly string[];
  /** Lines that matched, as many as the query asks for (`#lines 3`). */
  readonly lines: readonly MatchedLine[];
  readonly score: number;
  readonly source: string;
  readonly sourceName: string;
  readonly type: string;
  readonly size: number | null;
  /** Seconds since 1970; when its Gatherer summarised it. */
  readonly updatedAt: number;
  readonly modifiedAt: number | null;
  /** Others with the same bytes that this hit stands for; at most ten of `alsoTotal`. */
  readonly also: readonly Copy[];
  readonly alsoTotal: number;
  /** Ways to use the document here: `table`, at `/table?oid=`. */
  readonly access: readonly 'table'[];
  /** What broker.templates shows of objects of its type. */
  readonly shown: readonly ShownAttribute[];
}

export interface SourceSummary {
  readonly id: string;
  readonly name: string;
  readonly state: 'ok' | 'stale' | 'down';
  readonly error?: string;
}

export interface SearchAnswer {
  readonly query: string;
  readonly understood: string;
  readonly notes: readonly string[];
  /** How many objects match. */
  readonly total: number;
  /** How long the list of hits is: shorter than `total` where it is folded or grouped. */
  readonly entries: number;
  readonly tookMs: number;
  /** True when no object had every word and those with some are shown. */
  readonly relaxed: boolean;
  readonly hits: readonly SearchHit[];
  readonly facets: {
    readonly source: readonly { readonly value: string; readonly name: string; readonly count: number }[];
    readonly type: readonly Facet[];
    /** `year`, with a year chosen `month`, then the attributes of broker.facets. */
    readonly more: readonly NamedFacet[];
  };
  readonly sources: readonly SourceSummary[];
  /** The query with words corrected that are unknown or rare here; null when there is nothing to correct. */
  readonly suggestion: string | null;
  /** Nothing matched what was asked: the hits are those of this query, which is the suggestion. */
  readonly corrected: string | null;
  /** How many objects were read to decide, of how many, by an engine that does so. */
  readonly scanned?: ScanReport;
  /** Parts of the query that were looked for in some objects only, as many as may be read; the others are left out. */
  readonly partial?: readonly PartialReading[];
  /** Of how many objects how many are searchable, while the index is made anew; null as a rule. */
  readonly rebuilding: { readonly indexed: number; readonly objects: number } | null;
  /** Where the next page of a frozen list begins; null at its end, and when none was asked for. */
  readonly cursor: string | null;
}

/** Why an object stands where it does in the answer to a query. */
export interface RankAnswer extends ScoreExplanation {
  readonly url: string;
  readonly understood: string;
  /** True when no object has every word and any of them will do. */
  readonly relaxed: boolean;
  readonly engine: string;
}
