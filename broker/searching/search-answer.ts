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
import type { HitSection } from '../snippets/index.ts';
import type { ShownAttribute } from './result-templates.ts';

/** The parameters of a search, and the part of the results to return. */
export interface SearchParameters {
  readonly q: string;
  readonly limit: number;
  readonly offset: number;
  readonly sources: readonly string[];
  readonly types: readonly string[];
  /** Rank by these statistics, which are those of several Brokers together. */
  readonly statistics?: CollectionStatistics;
  /** Whether words become optional when no object has them all; default true. */
  readonly widen?: boolean;
  /** Whether a corrected query is answered when nothing matches and `widen` is true; default true. */
  readonly correct?: boolean;
  /**
   * Whether the query is being typed: its last word, when no blank follows it, may be the beginning of a word, and
   * nothing is corrected.
   */
  readonly typing?: boolean;
  /** Options that apply unless the text of the query sets them. */
  readonly options?: QueryOptions;
  /** Answer exactly this query: no word is corrected or made optional. */
  readonly exact?: boolean;
  /** Only objects that pass every filter. */
  readonly filters?: readonly FacetFilter[];
  /** By relevance when absent. */
  readonly order?: ResultOrder;
  /** Whether documents with the same bytes are one hit. */
  readonly fold?: boolean;
  /** Max hits of one source. */
  readonly perSource?: number;
  /** `*` freezes the list of hits. To read its next page, send the `cursor` of the last answer. */
  readonly cursor?: string;
}

/** Another place of the same bytes. */
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
  readonly attributes: readonly string[];
  /** Lines that matched, as many as the query requests (`#lines 3`). */
  readonly lines: readonly MatchedLine[];
  readonly score: number;
  readonly source: string;
  readonly sourceName: string;
  readonly type: string;
  /** Digest of the document's bytes, 32 hexadecimal digits; absent where it is not known. */
  readonly md5?: string;
  /** The language that the document names (BCP 47); absent where it names none. */
  readonly language?: string;
  readonly size: number | null;
  /** Time of its summary; seconds since 1970. */
  readonly updatedAt: number;
  readonly modifiedAt: number | null;
  /** Other objects with the same bytes, folded into this hit; at most ten of `alsoTotal`. */
  readonly also: readonly Copy[];
  readonly alsoTotal: number;
  /** Ways to use the document here: `table`, at `/table?oid=`. */
  readonly access: readonly 'table'[];
  /** The attributes that broker.templates shows for objects of its type. */
  readonly shown: readonly ShownAttribute[];
  /** The part of the page that answers better than its title. */
  readonly section?: HitSection;
  /** At most three other parts that answer as well, best first. */
  readonly sections?: readonly HitSection[];
}

export interface SourceSummary {
  readonly id: string;
  readonly name: string;
  readonly state: 'ok' | 'stale' | 'down';
  readonly error?: string;
}

/** What is still collected for the first time. */
export interface Collecting {
  /** Searchable objects so far. */
  readonly objects: number;
  /** Names of the sources whose first round has not ended. */
  readonly sources: readonly string[];
}

export interface SearchAnswer {
  readonly query: string;
  readonly understood: string;
  readonly notes: readonly string[];
  /** Number of objects that match. */
  readonly total: number;
  /** Length of the list of hits. It is less than `total` when copies are folded or the list is limited. */
  readonly entries: number;
  readonly tookMs: number;
  /** True when no object has every word, and objects with some of the words are hits. */
  readonly relaxed: boolean;
  readonly hits: readonly SearchHit[];
  readonly facets: {
    readonly source: readonly { readonly value: string; readonly name: string; readonly count: number }[];
    readonly type: readonly Facet[];
    /** `year`, with a chosen year `month`, then the attributes of broker.facets. */
    readonly more: readonly NamedFacet[];
  };
  readonly sources: readonly SourceSummary[];
  /** The query with corrections of unknown or rare words; null when there is nothing to correct. */
  readonly suggestion: string | null;
  /** The corrected query that found these hits, when nothing matched the original; else null. */
  readonly corrected: string | null;
  /** Number of objects that were read for this search, and of all; only from an engine that reads objects. */
  readonly scanned?: ScanReport;
  /** Parts of the query that were searched for in only some candidates. The other candidates are no hits. */
  readonly partial?: readonly PartialReading[];
  /** Progress while the index is rebuilt; otherwise null. */
  readonly rebuilding: { readonly indexed: number; readonly objects: number } | null;
  /** While sources are collected for the first time: the objects searchable so far; otherwise absent. */
  readonly collecting?: Collecting;
  /** The cursor of the next page of a frozen list. Null at its end, and when no list was frozen. */
  readonly cursor: string | null;
}

export interface RankAnswer extends ScoreExplanation {
  readonly url: string;
  readonly understood: string;
  /** True when no object has every word, and words are optional. */
  readonly relaxed: boolean;
  readonly engine: string;
}
