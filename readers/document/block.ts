/** The kind of a block of a document; it decides the weight of its words and the ends of its sentences. */
export type BlockRole = 'heading' | 'paragraph' | 'item' | 'pre' | 'row' | 'quote';

/**
 * A separate piece of a document's text. Lines are divided by `
 * `.
 */
export interface Block {
  readonly role: BlockRole;
  readonly text: string;
  /** Of a heading, 1 is the highest; 2 when absent. */
  readonly level?: number;
}
