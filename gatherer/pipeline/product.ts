import { defineEvent } from '../../kernel/index.ts';
import type { DocumentInput } from '../../readers/document/index.ts';
import type { Summary } from '../summarise/index.ts';

/** A result; `part` is the path inside a document, '' for itself; `passing`: the fault may pass. */
export type Product = { readonly passing?: true } & (
  | { readonly kind: 'summary'; readonly part: string; readonly summary: Summary }
  /** Left out by the operator's rule that `rule` names. */
  | { readonly kind: 'left-out'; readonly part: string; readonly type: string; readonly rule: string }
  /** Could not be taken out of its wrapper; `reason` is a sentence. */
  | { readonly kind: 'refused'; readonly part: string; readonly code: string; readonly reason: string }
);

/** Turns documents into products, here or in other threads. */
export interface DocumentProcessor extends AsyncDisposable {
  /** Max documents processed concurrently. */
  readonly width: number;
  /** Limits of one document, if any; other limits may give other summaries. */
  readonly bounds?: { readonly seconds: number; readonly heapMiB: number };
  /** The products of one document, at the caller's pace; the caller may stop at any product. */
  process(document: DocumentInput, signal?: AbortSignal): AsyncIterable<Product>;
  /** Release resources that are held for the next document, at the end of a run. */
  rest(): Promise<void>;
}

/** The rule by which a product is not stored, or undefined. */
export function ruleAgainst(product: Product): string | undefined {
  if (product.kind === 'left-out') return product.rule;
  if (product.kind === 'summary' && !product.summary.index)
    return 'the page asks not to be indexed (robots noindex)';
  return undefined;
}

/** One stage of one document, for people who try a single document. `part` is empty for the document itself. */
export interface PipelineStage {
  readonly stage: 'recognise' | 'select' | 'unnest' | 'explode' | 'summarise';
  readonly url: string;
  readonly part: string;
  /** The decision of the stage, as text. */
  readonly result: string;
}

/** A stage has ended. Covers documents of this thread, and of worker threads that are started with `stages`. */
export const pipelineStage = defineEvent<PipelineStage>('garner:gatherer:stage');
