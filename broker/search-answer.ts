import type { Oid } from '../soif/index.ts';
import type { Facet } from './search-engine.ts';

/** What is searched for, and which part of the answer is wanted. */
export interface SearchParameters {
  readonly q: string;
  readonly limit: number;
  readonly offset: number;
  readonly sources: readonly string[];
  readonly types: readonly string[];
  /** Answer what was asked and nothing else: no word is corrected or made optional. */
  readonly exact?: boolean;
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
  readonly score: number;
  readonly source: string;
  readonly sourceName: string;
  readonly type: string;
  readonly size: number | null;
  /** Seconds since 1970; when its Gatherer summarised it. */
  readonly updatedAt: number;
  readonly modifiedAt: number | null;
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
  readonly total: number;
  readonly tookMs: number;
  /** True when no object had every word and those with some are shown. */
  readonly relaxed: boolean;
  readonly hits: readonly SearchHit[];
  readonly facets: {
    readonly source: readonly { readonly value: string; readonly name: string; readonly count: number }[];
    readonly type: readonly Facet[];
  };
  readonly sources: readonly SourceSummary[];
  /** The query with words corrected that are unknown or rare here; null when there is nothing to correct. */
  readonly suggestion: string | null;
  /** Nothing matched what was asked: the hits are those of this query, which is the suggestion. */
  readonly corrected: string | null;
}
