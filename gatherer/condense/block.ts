import type { Field } from '../summariser.ts';

/** What a block of a document is; it decides how much its words weigh and where a sentence of it ends. */
export type BlockRole = 'heading' | 'paragraph' | 'item' | 'pre' | 'row' | 'quote';

/** A piece of a document's text that stands by itself, as its summariser read it. Lines are divided by `\n`. */
export interface Block {
  readonly role: BlockRole;
  readonly text: string;
  /** Of a heading, 1 is the highest; 2 when absent. */
  readonly level?: number;
}

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
