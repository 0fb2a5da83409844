import type { DocumentInput } from '../../readers/document/index.ts';
import type { Summary } from '../summarise/index.ts';

/**
 * What comes of a document, or of one of the documents inside it. `part` is the path inside, wrappers joined by
 * slashes; empty for the document itself. `passing`: the fault behind it may be gone the next time.
 */
export type Product = { readonly passing?: true } & (
  | { readonly kind: 'summary'; readonly part: string; readonly summary: Summary }
  /** Left out by an operator's rule, which `rule` names. */
  | { readonly kind: 'left-out'; readonly part: string; readonly type: string; readonly rule: string }
  /** Could not be taken out of its wrapper; the sentence says why. */
  | { readonly kind: 'refused'; readonly part: string; readonly code: string; readonly reason: string }
);

/** Turns documents into products, here or in other threads. */
export interface DocumentProcessor extends AsyncDisposable {
  /** How many documents it works on at once. */
  readonly width: number;
  /** What one document may use, where that is bounded: with more, summaries may be others. */
  readonly bounds?: { readonly seconds: number; readonly heapMiB: number };
  /** The products of one document, as fast as the caller takes them; the caller may stop at any of them. */
  process(document: DocumentInput, signal?: AbortSignal): AsyncIterable<Product>;
  /** A run has ended: give up what is only kept for the next document. */
  rest(): Promise<void>;
}

/** Why nothing of a product is kept, if so. */
export function ruleAgainst(product: Product): string | undefined {
  if (product.kind === 'left-out') return product.rule;
  if (product.kind === 'summary' && !product.summary.index)
    return 'the page asks not to be indexed (robots noindex)';
  return undefined;
}
