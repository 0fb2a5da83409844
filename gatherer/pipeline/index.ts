// From a document to its summary: recognise its type, select, unnest or explode, summarise. Read document-pipeline.ts,
// then summary-maker.ts and levelled-extract.ts.
// threads: the pipeline in worker threads.
export { defaultPlan, type PipelinePlan } from './pipeline-plan.ts';
export { type DocumentProcessor, type Product, ruleAgainst } from './product.ts';
export { ProductStream } from './product-stream.ts';
export {
  commandsOf,
  type PlanSettings,
  readPlan,
  readSiblings,
  readTypes,
  threadBounds,
} from './read-plan.ts';
export { summaryNote } from './summary-draft.ts';
export { LightFirstProcessor } from './threads/light-first-processor.ts';
export { type TryReport, tryDocument } from './try-document.ts';
