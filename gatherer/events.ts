import { defineEvent } from '../kernel/index.ts';

export { gatherdFault, gatherdSessionEnded } from './serve/gatherd/events.ts';
export { summaryReduced } from './summarise/events.ts';

/** One document was handled. */
export const documentDone = defineEvent<{
  readonly url: string;
  readonly outcome: 'added' | 'changed' | 'refreshed' | 'unchanged' | 'deleted' | 'failed' | 'skipped';
  readonly bytes: number;
  /** The reason, for failed and skipped ones. */
  readonly reason?: string;
}>('garner:gatherer:document');

/** Result of a run, in numbers of documents. */
export interface RunReport {
  readonly added: number;
  readonly changed: number;
  readonly refreshed: number;
  readonly unchanged: number;
  readonly deleted: number;
  readonly failed: number;
  /** Number of skipped URLs by rule. */
  readonly skipped: Readonly<Record<string, number>>;
  /** The first of them by rule, for people. */
  readonly firstSkipped: Readonly<Record<string, readonly string[]>>;
  /** Number of skipped URLs by rule whose summary was deleted. */
  readonly dropped: Readonly<Record<string, number>>;
  /** The first failures, for people. */
  readonly failures: readonly { readonly url: string; readonly reason: string }[];
  /**
   * Documents inside others that could not be taken out, and the first of them, only a few of one outermost document.
   */
  readonly refused: number;
  readonly refusals: readonly { readonly url: string; readonly code: string; readonly reason: string }[];
  /** Reduced summaries, which have a Summary-Note, and the first of them. */
  readonly reduced: number;
  readonly reductions: readonly { readonly url: string; readonly reason: string }[];
  /** Missing pages that a link, sitemap or page list names; no failures. */
  readonly goneCount: number;
  /** The first of them, with the page or list that names them. */
  readonly gone: readonly { readonly url: string; readonly reason: string; readonly from: string }[];
  /** Answers of web servers by status; empty for folders. */
  readonly answers: Readonly<Record<string, number>>;
  /** Counts of gatherer.local-mapping: documents read from disk, and those requested over the network, by reason. */
  readonly mapped: { readonly local: number; readonly network: Readonly<Record<string, number>> };
  /** Milliseconds waited for the load budget, by the setting that demanded it; waits may overlap. */
  readonly waited: Readonly<Record<string, number>>;
  /** Bytes of bodies read. */
  readonly bytesRead: number;
  readonly ms: number;
  /** Objects in the production store afterwards. */
  readonly objects: number;
  /** False when the run was stopped or the root could not be read: then documents that were not met stay. */
  readonly complete: boolean;
}

/** Gathering waits for its load budget for `ms`; `setting` demands it. */
export const loadWaits = defineEvent<{ readonly setting: string; readonly ms: number }>(
  'garner:gatherer:load-waits',
);

export const runFinished = defineEvent<RunReport>('garner:gatherer:run');

/** A fault outside a run; the Gatherer continues. */
export const gathererFault = defineEvent<{ readonly where: string; readonly error: unknown }>(
  'garner:gatherer:fault',
);
