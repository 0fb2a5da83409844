// Which type a document has, by its name, its first bytes and what the server said. Read recognise.ts.
export { looksBinary } from './content-signatures.ts';
export { pattern } from './pattern.ts';
export { Recogniser } from './recognise.ts';
export { type SiblingRule, SiblingRules, stem } from './sibling-rules.ts';
export { type TypeName, typeMediaTypes, typeNames } from './type-names.ts';
export { noTypeTables, type TypeRule, type TypeTables } from './type-tables.ts';
