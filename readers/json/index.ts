// JSON as events, in one pass, without a tree and within bounds, and `JsonShape`, which collects the shape of
// a document. Read json-scanner.ts, then json-schema.ts.
export { isJsonLines, lenientJson, scanJsonLines } from './json-lines.ts';
export { type JsonScalar, scanJson } from './json-scanner.ts';
export { JsonShape } from './json-schema.ts';
export { type NotebookCell, type NotebookFacts, readNotebook } from './notebook.ts';
