import { defineEvent } from '../../kernel/index.ts';
import type { DocumentInput } from '../../readers/document/index.ts';
import { type DecodedText, textDecoded } from '../../readers/text/index.ts';
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
  readonly stage: 'recognise' | 'select' | 'unnest' | 'explode' | 'decode' | 'summarise';
  readonly url: string;
  readonly part: string;
  /** The decision of the stage, as text. */
  readonly result: string;
}

/** A stage has ended. Covers documents of this thread, and of worker threads that are started with `stages`. */
export const pipelineStage = defineEvent<PipelineStage>('garner:gatherer:stage');

const maxLines = 4;

/** Lists how the texts of a document were decoded, for people who try a single document. */
export class DecodingReport {
  readonly #lines = new Set<string>();
  readonly #stop = textDecoded.subscribe((decoded) => this.#add(decoded));

  #add({ text, charset, by, refuted }: DecodedText): void {
    // Names and other fields are decoded too; ASCII shows nothing.
    if (this.#lines.size >= maxLines || (by === 'valid UTF-8' && !/[\u0080-\uffff]/.test(text))) return;
    const labels = [...new Set(refuted)].join(' and ');
    this.#lines.add(`${charset}, by ${by}${labels === '' ? '' : `; its bytes refute ${labels}`}`);
  }

  /** Each way once, as text, the first ones. */
  end(): readonly string[] {
    this.#stop();
    return [...this.#lines];
  }
}
