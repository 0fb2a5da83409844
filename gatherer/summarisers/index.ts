// One file or folder for each kind of document, found by type name in by-type.ts.
export type { AttributeNote } from './attribute-note.ts';
export { type SummariserEntry, summarisedTypes, summariserOf } from './by-type.ts';
export { decodeText } from './charset.ts';
export { robotsDirectives } from './robots-directives.ts';
