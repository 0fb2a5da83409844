import type { PartialReading, SearchRequest } from '../model/search-engine.ts';
import type { FoundObjects } from '../results/result-page.ts';
import type { Scoring } from '../scoring/scores.ts';
import type { IndexView } from '../segments/segment-content.ts';

/** The query to evaluate; `partial` receives partial readings. */
export type EvaluationRequest = Pick<SearchRequest, 'query' | 'statistics' | 'reads' | 'names'> & {
  readonly signal?: AbortSignal | undefined;
  readonly partial?: PartialReading[] | undefined;
};

/** A query evaluated at one moment of the index: its matches, perhaps with dead docnos, and its ranking. */
export interface Evaluation {
  readonly view: IndexView;
  readonly matching: Uint32Array;
  readonly scoring: Scoring;
}

/** Its matches, for results. */
export const foundBy = ({ matching, view, scoring }: Evaluation): FoundObjects => ({
  ...{ matching, scoring },
  columns: view.columns,
});
