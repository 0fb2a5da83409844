// One file or folder for each kind of document, found by type name in by-type.ts.
export type { AttributeNote } from './attribute-note.ts';
export { bibliographicFields } from './bibliographic-entry.ts';
export { bibtexEntries } from './bibtex.ts';
export { type SummariserEntry, summarisedTypes, summariserOf } from './by-type.ts';
export { decodeText } from './charset.ts';
export { keptLines } from './clean-text.ts';
export { robotsDirectives } from './robots-directives.ts';
export type { DistributionSigns } from './source-distribution/index.ts';
export { sourceDistributions } from './source-distributions.ts';
