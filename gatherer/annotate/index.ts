// What people write about documents, kept apart from what is gathered and merged into it: a Title, keywords, a class.
// Begin with annotation.ts, then merge.ts, which lays an annotation over an object and takes it off again;
// annotations.ts applies them to what is gathered and to what is stored, annotation-store.ts keeps them. The rest are
// ways in and out: SOIF, IAFA templates, the Linux Software Map, bibliographies, an HTTP API and a small form.

export { type Annotation, versionOf } from './annotation.ts';
export { type AnnotationChange, changedAnnotation } from './annotation-change.ts';
export { type AnnotationFormat, annotationFormats, importAnnotations } from './annotation-import.ts';
export { annotationRoutes } from './annotation-routes.ts';
export { AnnotationStore } from './annotation-store.ts';
export {
  type AnnotatedObjects,
  type AnnotationImport,
  type AnnotationOutcome,
  Annotations,
} from './annotations.ts';
export { type ImportedRecord, importLimits } from './imported.ts';
export { html, type Markup } from './markup.ts';
export { printAnnotations } from './soif-form.ts';
