import type { Goal } from '../harness/results.ts';

/** Ways to search for several words. */
export type Way = 'or' | 'and' | 'phrase';
export const ways: readonly Way[] = ['or', 'and', 'phrase'];

/** Milliseconds of one query. */
export interface Times {
  readonly p50: number;
  readonly p95: number;
}

/** The measurements of an engine; fields for what it cannot do are absent. */
export interface IndexRow {
  readonly engine: string;
  readonly version?: string;
  readonly positions: boolean;
  readonly buildSeconds: number;
  readonly buildCpuSeconds: number;
  readonly peakBytes: number;
  readonly indexBytes: number;
  /** The index as part of the text, in percent. */
  readonly indexPart: number;
  readonly queries: Partial<Readonly<Record<Way, Times>>>;
  /** Queries of one word with at most one error. */
  readonly oneError?: Times;
  /** Replacing one document so that the change survives a kill of the process; median. */
  readonly updateMs?: number;
  /** Opening a closed index and answering once, with modules loaded; median of processes. */
  readonly reopenMs?: number;
  /** For engines that start a process for each query: the start of an idle one. It is part of each time. */
  readonly processMs?: number;
  readonly notes: readonly string[];
}

/** A goal of Garner's with the measured value. */
export interface JudgedGoal {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
  readonly goal: Goal;
  readonly met: boolean;
}

/** The result of an engine's process that built its index in a folder. */
export interface Built {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakBytes: number;
  readonly version?: string;
}

/** Milliseconds of every query. */
export type QueryTimes = Partial<Readonly<Record<Way, readonly number[]>>>;

/** The same with the words that are searched with one error. */
export interface QueryTimesWithErrors extends QueryTimes {
  readonly oneError: readonly number[];
}

/** Milliseconds of every update. */
export interface Updated {
  readonly times: readonly number[];
}

export interface Reopened {
  readonly ms: number;
}
