import type { Extract, Field, RecognisedDocument, SummariseOptions } from '../../readers/document/index.ts';

/** Extracts a document's fields in linear time (Essence: `TypeName.sum`). It may throw on bad content. */
export type Summariser = (
  document: RecognisedDocument,
  options: SummariseOptions,
) => Extract | Promise<Extract>;

/** A summariser that others call within theirs. */
export type SyncSummariser = (document: RecognisedDocument, options: SummariseOptions) => Extract;

/** A document's summary before the Gatherer adds its bookkeeping (Update-Time, Time-to-Live, Gatherer-*). */
export interface Summary {
  readonly type: string;
  /** Names are SOIF identifiers, values well-formed text without control characters. */
  readonly attributes: readonly Field[];
  /** Links that enumeration follows: absolute, without fragment, http, https or file, of any host, each once. */
  readonly links: readonly string[];
  /** False when the document asks not to be indexed. */
  readonly index: boolean;
  /** False when the document asks not to follow its links; then `links` is empty. */
  readonly follow: boolean;
  readonly canonical?: string;
}
