// Data: one-pass readers that build no tree of what they read and stop at bounds (XML and JSON as events, headers of array
// files), and what watches them pass (`JsonShape`, `XmlOutline`,
// `ColumnProfile`).
export { type ArrayFacts, readNetCdf, readNumPy, readParquet } from './array-files.ts';
export { ColumnProfile } from './column-profile.ts';
export { type JsonScalar, scanJson } from './json-scanner.ts';
export { JsonShape } from './json-schema.ts';
export { XmlOutline } from './xml-outline.ts';
export { scanXml } from './xml-scanner.ts';
