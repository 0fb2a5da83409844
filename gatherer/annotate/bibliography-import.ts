import type { Field } from '../../readers/document/index.ts';
import { firstUrl, type Imported, ImportList } from './imported.ts';

// URLs are near the beginning of a field.
const maxText = 4096;

/** An entry of a bibliography, from a reader of BibTeX, RIS or refer. */
export interface BibliographyRecord {
  /** Its citation key. */
  readonly key: string;
  /** Names in BibTeX's spelling, lower case; one field per author. */
  readonly fields: readonly Field[];
}

/**
 * Entries of a bibliography as annotations of the cited documents. The document's URL is the first of: `url`, a URL in
 * `howpublished`, `link` or `note`, the DOI (https://doi.org/...), the arXiv number. `fieldsOf` makes the attributes of
 * an entry. Entries without a URL are problems.
 */
export function importBibliography<Entry extends BibliographyRecord>(
  entries: Iterable<Entry>,
  fieldsOf: (entry: Entry) => readonly Field[],
): Imported {
  const found = new ImportList();
  for (const entry of entries) {
    found.add(entry.key === '' ? 'an entry without a key' : entry.key, urlOf(entry), fieldsOf(entry));
    // No further entry can be added.
    if (found.full) break;
  }
  return found;
}

function urlOf({ fields }: BibliographyRecord): string | undefined {
  const first = (wanted: string) => fields.find(([name]) => name === wanted)?.[1] ?? '';
  const written = ['url', 'howpublished', 'link', 'note'].map(first);
  const url = firstUrl(written.flatMap(urlsIn));
  if (url !== undefined) return url;
  const doi = /10\.\d{4,9}\/\S{1,200}/.exec(first('doi').slice(0, maxText))?.[0];
  if (doi !== undefined) return firstUrl([`https://doi.org/${encodeURI(doi)}`]);
  const isArxiv = /arxiv/i.test(first('archiveprefix') || first('eprinttype'));
  const eprint = /^[\w./-]{4,40}$/.exec(first('eprint').trim())?.[0];
  return isArxiv && eprint !== undefined ? firstUrl([`https://arxiv.org/abs/${eprint}`]) : undefined;
}

/** URLs within a text; a sentence's punctuation behind one is not part of it. */
function urlsIn(text: string): string[] {
  const found = text.slice(0, maxText).match(/(?:https?|ftp):\/\/[^\s{}<>"\\]+/gi) ?? [];
  return found.map((url) => url.replace(/[.,;:)\]]{1,8}$/, ''));
}

/** Entries of a BibTeX file as annotations of the cited documents; see `importBibliography`. */
export async function importBibtex(text: string): Promise<Imported> {
  const { bibliographicFields, bibtexEntries } = await import('../../readers/bibliography/index.ts');
  return importBibliography(bibtexEntries(text), bibliographicFields);
}
