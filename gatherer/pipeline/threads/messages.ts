import type { DocumentInput } from '../../../readers/document/index.ts';
import type { ProgramGroup } from '../../programs/index.ts';
import type { PipelinePlan } from '../pipeline-plan.ts';
import type { PipelineStage, Product } from '../product.ts';

/** The data of a started thread. */
export interface ThreadStart {
  readonly plan: PipelinePlan;
  /** Whether it sends each stage of a document. */
  readonly stages: boolean;
  /** Max time that a product waits for its batch. */
  readonly holdMs: number;
}

/** To a thread: a document to process, or a request for more products of the current one. */
export type ToThread =
  | { readonly kind: 'document'; readonly document: DocumentInput }
  | { readonly kind: 'more' };

/** From a thread: products of the current document; after the last one it takes the next document. */
export interface FromThread {
  readonly kind: 'products';
  readonly products: readonly Product[];
  readonly last: boolean;
  /** A fault of the thread itself, never of the content. */
  readonly fault?: string;
}

/** From a thread, at any time: it has started a program, or one has ended. */
export interface ProgramOfThread {
  readonly kind: 'program';
  readonly program: ProgramGroup;
}

/** From a thread, at any time: a stage of the current document has ended. */
export interface StageOfThread {
  readonly kind: 'stage';
  readonly stage: PipelineStage;
}
