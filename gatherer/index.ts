// Runs at or near a provider: enumerates its documents, recognises and selects them by type, summarises them, and
// keeps the summaries in a production store that others collect from. A document is read once, where it lies; what
// did not change is neither read nor written again. A document's way through here: enumerator.ts, recognise.ts,
// document-pipeline.ts, keeping.ts, production.ts; gatherer.ts puts them together and gather-loop.ts keeps going.
export type { AnnotationChange } from './annotation-change.ts';
export { type AnnotationFormat, annotationFormats, importAnnotations } from './annotation-import.ts';
export {
  type Annotation,
  type AnnotationImport,
  type AnnotationOutcome,
  AnnotationStore,
  annotationErrors,
  type Imported,
  type ImportedRecord,
  importLimits,
  printAnnotations,
} from './annotations/index.ts';
export { ClassicStream } from './classic-stream.ts';
export * from './condense/index.ts';
export { judgeConfig } from './config-faults.ts';
export { customiseErrors, UrlRewriter } from './customise/index.ts';
export type { DocumentInput } from './document.ts';
export { enumerationErrors } from './enumeration-errors.ts';
export { enumerationSettings } from './enumeration-settings.ts';
export type { Enumerator } from './enumerator.ts';
export {
  enumeratorFor,
  fetchOfAll,
  LeafEnumerator,
  LocalMapping,
  parseRootNode,
  type RootNode,
  type RootServices,
  rootErrors,
  rootSchemes,
} from './enumerators/index.ts';
export { gathererErrors } from './errors.ts';
export { documentDone, gathererFault, loadWaits, type RunReport, runFinished } from './events.ts';
export { rootedAt } from './every-root.ts';
export { type FolderBounds, FolderEnumerator, folderBounds, siteRoutes } from './folder/index.ts';
export { GatherLoop } from './gather-loop.ts';
export {
  classicSource,
  GatherdClient,
  type GatherdServer,
  gatherdErrors,
  gatherdFault,
  gatherdSessionEnded,
  serveGatherd,
} from './gatherd/index.ts';
export { type Annotated, Gatherer, type GathererOptions } from './gatherer.ts';
export { LoadBudget } from './load-budget.ts';
export { judgeMachine } from './machine-faults.ts';
export * from './main-text/index.ts';
export { moduleErrors } from './modules/index.ts';
export { type Numbers, sumOf } from './numbers.ts';
export { type OuterTool, outerTools } from './outer-tools.ts';
export { defaultPlan, type PlanSettings, readPlan, threadBounds } from './pipeline/index.ts';
export { programErrors } from './programs/index.ts';
export { type PushLinkStatus, PushLinks, pushedWords } from './push-links.ts';
export { type GathererServing, type GathererStatus, gathererRoutes, gathererStatus } from './routes.ts';
export type { ScopeRule } from './scope-rule.ts';
export { gathererSettings } from './settings.ts';
export { summariseErrors } from './summarise-errors.ts';
export { summaryReduced } from './summarise-events.ts';
export { type SummaryText, summaryTexts } from './summariser.ts';
export { summarisedTypes, summariserOf } from './summarisers/index.ts';
export { LightFirstProcessor } from './threads/index.ts';
export { type TryReport, tryDocument } from './try-document.ts';
export { typeMediaTypes } from './type-names.ts';
export { unnestErrors } from './unnest/index.ts';
export { WebEnumerator } from './web/index.ts';
export type { WhyReport } from './why.ts';
