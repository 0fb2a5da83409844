// Annotations: what people write about documents, stored apart from the gathered values and merged into the objects.
// Read annotation.ts, then merge.ts (merges an annotation into an object and takes it off), annotations.ts (applies
// them to gathered and stored objects) and annotation-store.ts. The other files import and export: SOIF, IAFA
// templates, the Linux Software Map, bibliographies, an HTTP API and a form.
export { type Annotation, versionOf } from './annotation.ts';
export { type AnnotationChange, changedAnnotation } from './annotation-change.ts';
export { openAnnotations } from './annotation-copy.ts';
export type { AnnotationFormat } from './annotation-import.ts';
export { annotationRoutes } from './annotation-routes.ts';
export { AnnotationStore } from './annotation-store.ts';
export {
  type AnnotatedObjects,
  type AnnotationImport,
  type AnnotationOutcome,
  Annotations,
} from './annotations.ts';
export type { ImportedRecord } from './imported.ts';
export { html, Markup } from './markup.ts';
