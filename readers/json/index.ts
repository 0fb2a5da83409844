// Data: one-pass readers that build no tree of what they read and stop at bounds (XML and JSON as events, headers of array
// files), and what watches them pass (`JsonShape`, `XmlOutline`,
// `ColumnProfile`).
export { type JsonScalar, scanJson } from './json-scanner.ts';
export { JsonShape } from './json-schema.ts';
