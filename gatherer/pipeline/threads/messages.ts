import type { DocumentInput } from '../../../readers/document/index.ts';
import type { PipelineStage } from '../pipeline-events.ts';
import type { PipelinePlan } from '../pipeline-plan.ts';
import type { Product } from '../product.ts';

/** What a thread is started with. */
export interface ThreadStart {
  readonly plan: PipelinePlan;
  /** Whether it tells each stage of a document's way. */
  readonly stages: boolean;
  /** Products wait no longer than this for others to be sent with. */
  readonly holdMs: number;
}

/** To a thread: a document to work on, or that more products of the one in work are wanted. */
export type ToThread =
  | { readonly kind: 'document'; readonly document: DocumentInput }
  | { readonly kind: 'more' };

/** From a thread: products of the document in work; after the last of them it takes the next document. */
export interface FromThread {
  readonly kind: 'products';
  readonly products: readonly Product[];
  readonly last: boolean;
  /** What went wrong in the thread itself; content never does. */
  readonly fault?: string;
}

/** From a thread, at any time: a stage that the document in work has passed. */
export interface StageOfThread {
  readonly kind: 'stage';
  readonly stage: PipelineStage;
}
