// From a document to its summary: what it is, what is packed in it, which summariser it gets. Read
// document-pipeline.ts, then summary-maker.ts.
export { DocumentPipeline } from './document-pipeline.ts';
export { InlineProcessor } from './inline-processor.ts';
export { type LevelledExtract, levelledExtract } from './levelled-extract.ts';
export { type PipelineStage, pipelineStage } from './pipeline-events.ts';
export {
  type DistributionObjects,
  defaultPlan,
  distributionObjects,
  type PipelinePlan,
} from './pipeline-plan.ts';
export { plainProduct } from './plain-product.ts';
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
export { SummaryDraft, summaryNote } from './summary-draft.ts';
export { SummaryMaker } from './summary-maker.ts';
