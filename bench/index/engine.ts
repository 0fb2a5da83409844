import { median, quantile } from '../harness/statistics.ts';
import type { Documentation } from '../material/documentation.ts';
import type { Asked, IndexRow, Times, Way } from './figures.ts';

/** Of the queries so many are asked of what reads the texts anew for each. */
export const slowQueries = 50;

/** What every engine works on. */
export interface IndexJob {
  readonly documentation: Documentation;
  /** Of this engine alone; deleted afterwards. */
  readonly folder: string;
  readonly rounds: number;
  readonly queries: Readonly<Record<Way, readonly (readonly string[])[]>>;
  /** The queries as JSON. */
  readonly queryFile: string;
  /** Numbers of the pages to replace, as JSON. */
  readonly changesFile: string;
  /** A word that some page has. */
  readonly word: string;
  /** Words that are asked for with one error, the same of every engine that does that. */
  readonly oneErrorWords: readonly string[];
  /** A folder with a text file for each page; written for the first who asks. */
  readonly textFiles: () => Promise<string>;
  /** A Broker's data folder with an object for each page; filled for the first who asks. */
  readonly store: () => Promise<string>;
  readonly signal: AbortSignal;
}

/** An engine that is measured. */
export interface IndexEngine {
  readonly name: string;
  /** Why it cannot be measured here, if so. */
  absent(): string | undefined;
  /** A string says why it was not measured after all. */
  measure(job: IndexJob): Promise<IndexRow | string>;
}

export const part = (indexBytes: number, { textBytes }: Documentation) => (100 * indexBytes) / textBytes;

export const timesOf = (samples: readonly number[]): Times => ({
  p50: quantile(samples, 0.5),
  p95: quantile(samples, 0.95),
});

/** p50 and p95 of each round, then the median of the rounds. */
export function timesOfRounds(rounds: readonly Asked[]): Partial<Record<Way, Times>> {
  const times: Partial<Record<Way, Times>> = {};
  for (const way of ['or', 'and', 'phrase'] as const) {
    const own = rounds.flatMap((round) => (round[way] === undefined ? [] : [timesOf(round[way])]));
    if (own.length === 0) continue;
    times[way] = { p50: median(own.map(({ p50 }) => p50)), p95: median(own.map(({ p95 }) => p95)) };
  }
  return times;
}
