import { defineEvent } from '../../kernel/index.ts';

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
