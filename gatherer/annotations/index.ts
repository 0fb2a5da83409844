// What people write about documents, kept apart from what is gathered and merged into it: a Title, keywords, a class.
// Begin with annotation.ts, then merge.ts, which lays an annotation over an object and takes it off again;
// annotations.ts applies them to what is gathered and to what is stored, annotation-store.ts keeps them. The rest are
// ways in and out: SOIF, IAFA templates, the Linux Software Map, bibliographies, an HTTP API and a small form.
export { type Annotation, versionOf } from './annotation.ts';
export { annotationRoutes } from './annotation-routes.ts';
export type { AnnotationServing } from './annotation-serving.ts';
export { AnnotationStore, type AnnotationStoreOptions } from './annotation-store.ts';
export {
  type AnnotatedObjects,
  type AnnotationImport,
  type AnnotationOutcome,
  Annotations,
  type Edited,
} from './annotations.ts';
export { importBibtex } from './bibtex-import.ts';
export { annotationErrors } from './errors.ts';
export { FieldList } from './field-list.ts';
export { importIafa } from './iafa-import.ts';
export {
  type Imported,
  type ImportedRecord,
  type ImportProblem,
  importLimits,
  importText,
} from './imported.ts';
export { importLsm } from './lsm-import.ts';
export { html, type Markup } from './markup.ts';
export { type Hidden, laidOver, type Merge } from './merge.ts';
export { annotationSettings } from './settings.ts';
export { importSoif, printAnnotations } from './soif-form.ts';
