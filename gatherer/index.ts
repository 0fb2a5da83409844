// Runs at or near a provider: enumerates its documents, recognises and selects them by type, summarises them, and
// stores the summaries in a production store that others collect. An unchanged document is neither read nor written
// again. A document passes enumerate/, pipeline/ (with recognise/, unnest/, summarise/, condense/ and customise/) and
// publish/; run/gatherer.ts connects them.
export { annotationErrors } from './annotate/errors.ts';
export {
  type Annotation,
  type AnnotationChange,
  type AnnotationFormat,
  type AnnotationImport,
  type AnnotationOutcome,
  AnnotationStore,
  type ImportedRecord,
} from './annotate/index.ts';
export { type ExternalProgram, externalPrograms, judgeConfig, judgeMachine } from './checks/index.ts';
export { levelFields, type ReadDocument } from './condense/index.ts';
export { customiseErrors } from './customise/errors.ts';
export { UrlRewriter } from './customise/index.ts';
export { enumerationErrors } from './enumerate/errors.ts';
export {
  type Enumerator,
  enumeratorFor,
  type FolderBounds,
  FolderEnumerator,
  fetchOfAll,
  folderBounds,
  LeafEnumerator,
  LocalMapping,
  parseRootNode,
  type RootNode,
  type RootServices,
  rootErrors,
  rootedAt,
  rootSchemes,
  type ScopeRule,
  siteRoutes,
  type WatchedFolder,
  WebEnumerator,
} from './enumerate/index.ts';
export { gathererErrors } from './errors.ts';
export type { RunReport } from './events.ts';
export { moduleErrors } from './modules/errors.ts';
export { annotationFiles, gatherdPort } from './on-demand.ts';
export {
  defaultPlan,
  LightFirstProcessor,
  readPlan,
  type TryReport,
  threadBounds,
  tryDocument,
} from './pipeline/index.ts';
export { programErrors } from './programs/errors.ts';
export { ClassicStream, sumOf } from './publish/index.ts';
export { typeMediaTypes } from './recognise/index.ts';
export {
  type Annotated,
  checkGatherer,
  Gatherer,
  type GathererCheck,
  type GathererOptions,
  GatherLoop,
  LoadBudget,
  openRows,
  type WhyReport,
} from './run/index.ts';
export { gatherdErrors } from './serve/gatherd/errors.ts';
export {
  type GatherdClient,
  type GatherdServer,
  type GathererServing,
  gathererRoutes,
  gathererStatus,
  type PushLinkStatus,
  PushLinks,
  pushedWords,
} from './serve/index.ts';
export { summariseErrors } from './summarise/errors.ts';
export { summarisedTypes, summariserOf } from './summarise/index.ts';
export { unnestErrors } from './unnest/errors.ts';
