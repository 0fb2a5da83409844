import type { Block, Field } from '../../readers/document/index.ts';

/** What a summariser has read of one document. */
export interface ReadDocument {
  readonly title?: string;
  /** The other fields; their words need not be said again, those of `Keywords` and the like weigh more. */
  readonly fields: readonly Field[];
  /** In reading order. */
  readonly blocks: readonly Block[];
  /** A language tag such as `en` or `pt-BR`, when the document names one. */
  readonly language?: string;
}
