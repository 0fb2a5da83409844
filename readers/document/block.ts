/** What a block of a document is; it decides how much its words weigh and where a sentence of it ends. */
export type BlockRole = 'heading' | 'paragraph' | 'item' | 'pre' | 'row' | 'quote';

/** A piece of a document's text that stands by itself, as its summariser read it. Lines are divided by `\n`. */
export interface Block {
  readonly role: BlockRole;
  readonly text: string;
  /** Of a heading, 1 is the highest; 2 when absent. */
  readonly level?: number;
}
