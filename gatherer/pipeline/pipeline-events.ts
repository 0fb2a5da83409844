import { defineEvent } from '../../kernel/index.ts';

/** One stage of one document's way, for people who look at a single document. `part` is empty for the document itself. */
export interface PipelineStage {
  readonly stage: 'recognise' | 'select' | 'unnest' | 'explode' | 'summarise';
  readonly url: string;
  readonly part: string;
  /** What the stage decided, in words. */
  readonly result: string;
}

/** A stage was passed; tells of the documents of this thread, and of others' where they are asked to. */
export const pipelineStage = defineEvent<PipelineStage>('garner:gatherer:stage');
