import type { DocumentInput } from '../../readers/document/index.ts';
import { DocumentPipeline } from './document-pipeline.ts';
import type { PipelinePlan } from './pipeline-plan.ts';
import type { DocumentProcessor, Product } from './product.ts';

/** Processes documents in this thread, one after the other: for small sites, single documents and tests. */
export class InlineProcessor implements DocumentProcessor {
  readonly width = 1;
  readonly #pipeline: DocumentPipeline;

  /** Throws GATHERER_UNKNOWN_TYPE, RULE_CONDITION, RULE_PATTERN. */
  constructor(plan: PipelinePlan) {
    this.#pipeline = new DocumentPipeline(plan);
  }

  process(document: DocumentInput, signal?: AbortSignal): AsyncIterable<Product> {
    return this.#pipeline.process(document, signal);
  }

  async rest(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}
