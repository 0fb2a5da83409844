// Bibliographies in the notations of BibTeX, RIS and refer. Read bibliographic-entry.ts, then bibtex-source.ts.
export { type BibliographicEntry, bibliographicFields } from './bibliographic-entry.ts';
export { bibtexEntries } from './bibtex.ts';
export { type BibtexSource, bibtexSources } from './bibtex-source.ts';
export { referEntries, risEntries } from './tagged-bibliography.ts';
