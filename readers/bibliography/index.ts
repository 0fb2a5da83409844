export { type BibliographicEntry, bibliographicFields } from './bibliographic-entry.ts';
export { bibtexEntries } from './bibtex.ts';
export { referEntries, risEntries } from './tagged-bibliography.ts';
