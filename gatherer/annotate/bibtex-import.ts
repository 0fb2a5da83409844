import { bibliographicFields, bibtexEntries } from '../../readers/bibliography/index.ts';
import { importBibliography } from './bibliography-import.ts';
import type { Imported } from './imported.ts';

/** Entries of a BibTeX file as annotations of what they cite; see `importBibliography`. */
export function importBibtex(text: string): Imported {
  return importBibliography(bibtexEntries(text), bibliographicFields);
}
