import { median, quantile } from '../harness/statistics.ts';
import type { Documentation } from '../material/documentation.ts';
import type { IndexRow, QueryTimes, Times, Way } from './figures.ts';

/** Number of queries for engines that read the texts again for each query. */
export const slowQueries = 50;

/** The input of every engine. */
export interface IndexJob {
  readonly documentation: Documentation;
  /** This engine's own folder; deleted afterwards. */
  readonly folder: string;
  readonly rounds: number;
  readonly queries: Readonly<Record<Way, readonly (readonly string[])[]>>;
  /** The queries as JSON. */
  readonly queryFile: string;
  /** Numbers of the pages to replace, as JSON. */
  readonly changesFile: string;
  /** A word that some page has. */
  readonly word: string;
  /** Words that are searched with one error, the same for every engine that can. */
  readonly oneErrorWords: readonly string[];
  /** A folder with a text file for each page, written at the first call. */
  readonly textFiles: () => Promise<string>;
  /** A Broker's data folder with an object for each page, filled at the first call. */
  readonly store: () => Promise<string>;
  readonly signal: AbortSignal;
}

/** A measured engine. */
export interface IndexEngine {
  readonly name: string;
  /** The reason why it cannot be measured here, or undefined. */
  absent(): string | undefined;
  /** A string is the reason why it could not be measured. */
  measure(job: IndexJob): Promise<IndexRow | string>;
}

export const part = (indexBytes: number, { textBytes }: Documentation) => (100 * indexBytes) / textBytes;

export const timesOf = (samples: readonly number[]): Times => ({
  p50: quantile(samples, 0.5),
  p95: quantile(samples, 0.95),
});

/** p50 and p95 of each round, then the median of the rounds. */
export function timesOfRounds(rounds: readonly QueryTimes[]): Partial<Record<Way, Times>> {
  const times: Partial<Record<Way, Times>> = {};
  for (const way of ['or', 'and', 'phrase'] as const) {
    const own = rounds.flatMap((round) => (round[way] === undefined ? [] : [timesOf(round[way])]));
    if (own.length === 0) continue;
    times[way] = { p50: median(own.map(({ p50 }) => p50)), p95: median(own.map(({ p95 }) => p95)) };
  }
  return times;
}
