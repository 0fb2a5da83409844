import type { Field } from '../document/index.ts';
import { eachOf, fact, joined, oneLine } from '../text/index.ts';

/** One record of a bibliography in any notation. */
export interface BibliographicEntry {
  /** BibTeX's entry type or RIS's type of reference in lower case; empty when the notation has none. */
  readonly kind: string;
  /** Its citation key; empty when it has none. */
  readonly key: string;
  /** Fields in BibTeX's names, lower case, in the order written; authors, editors and keywords one by one. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

const named: readonly (readonly [attribute: string, fields: readonly string[]])[] = [
  ['Year', ['year', 'date']],
  ['Publication', ['journal', 'journaltitle', 'booktitle', 'series']],
  ['Volume', ['volume']],
  ['Number', ['number', 'issue']],
  ['Pages', ['pages']],
  ['Publisher', ['publisher']],
  ['Institution', ['institution', 'school', 'organization']],
  ['Address', ['address', 'location']],
  ['Edition', ['edition']],
  ['ISBN', ['isbn']],
  ['ISSN', ['issn']],
  ['DOI', ['doi']],
  ['URL-of-Work', ['url', 'howpublished']],
  ['Language', ['language', 'langid']],
  ['Abstract', ['abstract']],
  ['Note', ['note', 'annote', 'comment']],
];

/** An entry as attributes of a summary, such as `Title`, `Author` (numbered), `Year` and `Citation-Key`. */
export function bibliographicFields(entry: BibliographicEntry): Field[] {
  const all = (...names: readonly string[]) =>
    entry.fields.filter(([name]) => names.includes(name)).map(([, value]) => value);
  return [
    fact('Title', all('title').concat(all('subtitle')).join(': ')),
    ...eachOf('Author', all('author')),
    ...eachOf('Editor', all('editor')),
    ...named.map(([attribute, names]) => fact(attribute, names.map((name) => all(name)[0]).find(Boolean))),
    joined('Keywords', all('keywords')),
    fact('Entry-Type', entry.kind),
    fact('Citation-Key', entry.key),
  ].filter(([, value]) => value !== '');
}

/** `Family, Given` as `Given Family`. */
export function readableName(name: string): string {
  const parts = oneLine(name).split(/\s*,\s*/);
  const [family = '', second, third] = parts;
  if (second === undefined) return family;
  return third === undefined ? `${second} ${family}`.trim() : `${third} ${family}, ${second}`.trim();
}
