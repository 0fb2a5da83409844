import type { Goal } from '../harness/results.ts';

/** How several words are asked for. */
export type Way = 'or' | 'and' | 'phrase';
export const ways: readonly Way[] = ['or', 'and', 'phrase'];

/** Milliseconds of one query. */
export interface Times {
  readonly p50: number;
  readonly p95: number;
}

/** What an engine was measured to be; what it cannot do is absent. */
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
  /** One word that may have one error. */
  readonly oneError?: Times;
  /** Replacing one document so that it survives the death of the process; median. */
  readonly updateMs?: number;
  /** Opening a closed index and answering once, modules loaded; median of processes. */
  readonly reopenMs?: number;
  /** For engines that start a process for each query: the start of one that does nothing. It is part of each time. */
  readonly processMs?: number;
  readonly notes: readonly string[];
}

/** A goal of Garner's with what was measured. */
export interface JudgedGoal {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
  readonly goal: Goal;
  readonly met: boolean;
}

/** What an engine's process tells after building its index in a folder. */
export interface Built {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakBytes: number;
  readonly version?: string;
}

/** Milliseconds of every query. */
export type Asked = Partial<Readonly<Record<Way, readonly number[]>>>;

/** The same with the words that may have one error. */
export interface AskedWithErrors extends Asked {
  readonly oneError: readonly number[];
}

/** Milliseconds of every update. */
export interface Updated {
  readonly times: readonly number[];
}

export interface Reopened {
  readonly ms: number;
}
