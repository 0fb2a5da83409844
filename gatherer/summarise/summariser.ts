import type { Extract, Field, RecognisedDocument, SummariseOptions } from '../../readers/document/index.ts';

/**
 * Extracts the fields of one kind of document (Essence: `TypeName.sum`). It may throw on bad content:
 * `summarise` then falls back to the plain summary. It must stay linear in the document's size.
 */
export type Summariser = (
  document: RecognisedDocument,
  options: SummariseOptions,
) => Extract | Promise<Extract>;

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
