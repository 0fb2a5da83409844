import type { Decision } from '../requests/index.ts';

/** Results of requests since the cache was opened. */
export type Counts = Readonly<Record<Decision['outcome'], number>> & {
  /** Bytes of content from the store and from upstream, as far as lengths were known beforehand. */
  readonly bytesFromStore: number;
  readonly bytesFromUpstream: number;
  /** Answers, counted above, that broke off after they had begun because the upstream did not send the rest. */
  readonly brokenOff: number;
};

const fromStore: ReadonlySet<Decision['outcome']> = new Set([
  'hit',
  'stale-hit',
  'validated',
  'stale-on-error',
  'collapsed',
]);

/** Whether the content of such an answer came from the store, possibly after validation. */
export const isFromStore = (outcome: Decision['outcome']): boolean => fromStore.has(outcome);

export class Counters {
  readonly #counts = {
    hit: 0,
    'stale-hit': 0,
    validated: 0,
    'stale-on-error': 0,
    collapsed: 0,
    miss: 0,
    pass: 0,
    refused: 0,
    failed: 0,
    bytesFromStore: 0,
    bytesFromUpstream: 0,
    brokenOff: 0,
  };

  /** Count one answer with its bytes; `times` for several of the same kind. */
  count(outcome: Decision['outcome'], bytes: number, times = 1): void {
    this.#counts[outcome] += times;
    this.#counts[isFromStore(outcome) ? 'bytesFromStore' : 'bytesFromUpstream'] += bytes;
  }

  /** Count an answer that broke off after it was counted. */
  countBroken(): void {
    this.#counts.brokenOff += 1;
  }

  counts(): Counts {
    return { ...this.#counts };
  }
}
