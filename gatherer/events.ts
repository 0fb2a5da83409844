import { defineEvent } from '../kernel/index.ts';

/** One document was dealt with. */
export const documentDone = defineEvent<{
  readonly url: string;
  readonly outcome: 'added' | 'changed' | 'refreshed' | 'unchanged' | 'deleted' | 'failed' | 'skipped';
  readonly bytes: number;
  /** Why, for those that failed or were skipped. */
  readonly reason?: string;
}>('garner:gatherer:document');

/** What a run did, by number of documents. */
export interface RunReport {
  readonly added: number;
  readonly changed: number;
  readonly refreshed: number;
  readonly unchanged: number;
  readonly deleted: number;
  readonly failed: number;
  /** Skipped URLs by the rule that left them out. */
  readonly skipped: Readonly<Record<string, number>>;
  /** The first of them by the same rules, for people. */
  readonly firstSkipped: Readonly<Record<string, readonly string[]>>;
  /** Of those, by the same rules, how many had a summary until then, which was deleted. */
  readonly dropped: Readonly<Record<string, number>>;
  /** The first failures, for people. */
  readonly failures: readonly { readonly url: string; readonly reason: string }[];
  /** Documents inside others that could not be taken out, and the first of them, few of one outermost document. */
  readonly refused: number;
  readonly refusals: readonly { readonly url: string; readonly code: string; readonly reason: string }[];
  /** Summaries that lack something, as their Summary-Note says, and the first of them. */
  readonly reduced: number;
  readonly reductions: readonly { readonly url: string; readonly reason: string }[];
  /** Pages that a link, sitemap or page list leads to and that are not there; no failures. */
  readonly goneCount: number;
  /** The first of them, with what leads there. */
  readonly gone: readonly { readonly url: string; readonly reason: string; readonly from: string }[];
  /** Answers of web servers by status; empty for folders. */
  readonly answers: Readonly<Record<string, number>>;
  /** What gatherer.local-mapping did: documents read from disk, and those asked for all the same, by reason. */
  readonly mapped: { readonly local: number; readonly network: Readonly<Record<string, number>> };
  /** Milliseconds waited for the load budget, by the setting that asked for it; several may have run at once. */
  readonly waited: Readonly<Record<string, number>>;
  /** Bytes of bodies read. */
  readonly bytesRead: number;
  readonly ms: number;
  /** Objects in the production store afterwards. */
  readonly objects: number;
  /** False when the run was stopped or the root could not be read: then nothing unseen was deleted. */
  readonly complete: boolean;
}

/** Gathering waits for its load budget, for so many milliseconds; `setting` is what asks for it. */
export const loadWaits = defineEvent<{ readonly setting: string; readonly ms: number }>(
  'garner:gatherer:load-waits',
);

export const runFinished = defineEvent<RunReport>('garner:gatherer:run');

/** Something went wrong outside a run; the Gatherer goes on. */
export const gathererFault = defineEvent<{ readonly where: string; readonly error: unknown }>(
  'garner:gatherer:fault',
);
