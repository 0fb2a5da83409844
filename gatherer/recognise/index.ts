// Which type a document has: by its URL, its name, its first bytes and the HTTP header.
// Read recognise.ts, then recognition-tables.ts, content-signatures.ts and admission.ts.
export { looksBinary } from './content-signatures.ts';
export { type Recognised, Recogniser } from './recognise.ts';
export { type SiblingRule, SiblingRules, stem } from './sibling-rules.ts';
export { type TypeName, typeMediaTypes, typeNames } from './type-names.ts';
export { noTypeTables, pattern, type TypeRule, type TypeTables } from './type-tables.ts';
