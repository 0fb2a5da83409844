import type { IndexSnapshot } from './index-snapshot.ts';
import type { FoundObjects } from './result-page.ts';
import type { Scoring } from './scores.ts';

/** A query answered over one moment of the index: what matches, dead docnos perhaps among it, and what ranks it. */
export interface Evaluation {
  readonly snapshot: IndexSnapshot;
  readonly matching: Uint32Array;
  readonly scoring: Scoring;
}

/** What it found, for results. */
export const foundBy = ({ matching, snapshot, scoring }: Evaluation): FoundObjects => ({
  ...{ matching, scoring },
  columns: snapshot.columns,
});
