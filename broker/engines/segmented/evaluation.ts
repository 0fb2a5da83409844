import type { PartialReading, SearchRequest } from '../model/search-engine.ts';
import type { FoundObjects } from '../results/result-page.ts';
import type { Scoring } from '../scoring/scores.ts';
import type { IndexView } from '../segments/segment-content.ts';

/** What is to be evaluated; `partial` takes in what is read in part. */
export type EvaluationRequest = Pick<SearchRequest, 'query' | 'statistics' | 'reads'> & {
  readonly signal?: AbortSignal | undefined;
  readonly partial?: PartialReading[] | undefined;
};

/** A query answered over one moment of the index: what matches, dead docnos perhaps among it, and what ranks it. */
export interface Evaluation {
  readonly view: IndexView;
  readonly matching: Uint32Array;
  readonly scoring: Scoring;
}

/** What it found, for results. */
export const foundBy = ({ matching, view, scoring }: Evaluation): FoundObjects => ({
  ...{ matching, scoring },
  columns: view.columns,
});
