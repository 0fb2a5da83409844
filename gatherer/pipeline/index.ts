// From a document to its summary: what it is, what is packed in it, which summariser it gets. Read
// document-pipeline.ts, then summary-maker.ts.
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
