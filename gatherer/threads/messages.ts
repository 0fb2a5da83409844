import type { DocumentInput } from '../document.ts';
import type { Product } from '../product.ts';

/** To a thread: a document to work on, or that more products of the one in work are wanted. */
export type ToThread =
  | { readonly kind: 'document'; readonly document: DocumentInput }
  | { readonly kind: 'more' };

/** From a thread: products of the document in work; after the last of them it takes the next document. */
export interface FromThread {
  readonly products: readonly Product[];
  readonly last: boolean;
  /** What went wrong in the thread itself; content never does. */
  readonly fault?: string;
}
