import {
  type BibliographicEntry,
  bibliographicFields,
  bibtexEntries,
  referEntries,
  risEntries,
} from '../../../readers/bibliography/index.ts';
import type { AttributeNote } from '../../../readers/document/index.ts';
import { withoutMarkup } from '../../../readers/html/index.ts';
import { decodeText, fact, joined, StructuredText } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of the summary of a single work of a bibliography. */
export const bibliographicEntryAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title of the work, with its subtitle' },
  { name: 'Author', what: 'Its authors as `Given Family`, numbered when there are several' },
  { name: 'Editor', what: 'Its editors, numbered when there are several' },
  { name: 'Year', what: 'Year of publication' },
  { name: 'Publication', what: 'The journal, collection or series that contains it' },
  { name: 'Volume', what: 'The volume' },
  { name: 'Number', what: 'The issue, or the number of a report' },
  { name: 'Pages', what: 'The pages' },
  { name: 'Publisher', what: 'Its publisher' },
  { name: 'Institution', what: 'The school or institution it comes from' },
  { name: 'Address', what: 'Place of publication' },
  { name: 'Edition', what: 'The edition' },
  { name: 'ISBN', what: 'The ISBN of a book' },
  { name: 'ISSN', what: 'The ISSN of a journal' },
  { name: 'DOI', what: 'Its digital object identifier' },
  { name: 'URL-of-Work', what: 'Its address' },
  { name: 'Language', what: 'Its language' },
  { name: 'Abstract', what: 'Its abstract' },
  { name: 'Note', what: 'A remark on it' },
  { name: 'Keywords', what: 'Its keywords' },
  { name: 'Entry-Type', what: 'Kind of work, as named in the notation' },
  { name: 'Citation-Key', what: 'Its citation key' },
];

/** Attributes of the summary of a bibliography. */
export const bibliographyAttributes: readonly AttributeNote[] = [
  { name: 'Entries', what: 'Number of works' },
  { name: 'Format', what: '`BibTeX`, `RIS` or `refer`' },
  { name: 'Author', what: 'The authors and editors of the works, one per line' },
  { name: 'Publication', what: 'The journals and collections that contain them, one per line' },
  { name: 'Publisher', what: 'Their publishers, one per line' },
  { name: 'Years', what: 'The first and the last year' },
  { name: 'Entry-Types', what: 'Kinds of works, with their numbers' },
  { name: 'Keywords', what: 'Their keywords' },
  { name: 'Citation-Keys', what: 'Their citation keys' },
  { name: 'Headings', what: 'The titles of the works' },
];

const maxDistinct = 1000;

/** Bibliographies in BibTeX, RIS or refer: authors, titles and other facts of the works. */
export const summariseBibliography: SyncSummariser = (document, options) => {
  const source = decodeText(document.bytes, document.charset);
  const format = bibliographyFormat(source);
  const text = new StructuredText(options);
  const gathered = new Gathered();
  let only: BibliographicEntry | undefined;
  for (const written of entriesOf(source, format)) {
    const entry = plainEntry(written);
    only = gathered.count === 0 ? entry : undefined;
    gathered.add(entry, text);
  }
  if (only !== undefined) {
    const [title, ...fields] = bibliographicFields(only);
    if (title?.[0] === 'Title') text.title = title[1];
    return text.extract(document, [
      ['Entries', '1'],
      ['Format', format],
      ...(title?.[0] === 'Title' || title === undefined ? fields : [title, ...fields]),
    ]);
  }
  // Another reader may find more.
  if (gathered.count === 0) return text.extract(document, []);
  // A list of works has the name of its file, not the title of its first work.
  text.isNamedByHeading = false;
  return text.extract(document, [
    ['Entries', String(gathered.count)],
    ['Format', format],
    joined('Author', gathered.authors, '\n'),
    joined('Publication', gathered.publications, '\n'),
    joined('Publisher', gathered.publishers, '\n'),
    fact('Years', gathered.years),
    joined(
      'Entry-Types',
      [...gathered.kinds].map(([kind, count]) => `${kind} ${count}`),
    ),
    joined('Keywords', gathered.keywords),
    joined('Citation-Keys', gathered.keys),
  ]);
};

/** Notation of a bibliography. */
export type BibliographyFormat = 'BibTeX' | 'RIS' | 'refer';

/** The notation of a bibliography, by its first lines. */
export function bibliographyFormat(source: string): BibliographyFormat {
  const start = source.slice(0, 64 * 1024);
  if (/^\s{0,4}TY {1,2}- /m.test(start)) return 'RIS';
  return /^%[A-Z]\s/m.test(start) && !/^[ \t]*@[A-Za-z]{1,30}[ \t]*[{(]/m.test(start) ? 'refer' : 'BibTeX';
}

function entriesOf(source: string, format: BibliographyFormat): Iterable<BibliographicEntry> {
  if (format === 'RIS') return risEntries(source);
  return format === 'refer' ? referEntries(source) : bibtexEntries(source);
}

/** An entry whose title and abstract are without markup: databases export them as HTML. */
function plainEntry({ fields, ...rest }: BibliographicEntry): BibliographicEntry {
  const isMarkup = (name: string) => name === 'title' || name === 'abstract';
  return {
    ...rest,
    fields: fields.map(([name, value]) => [name, isMarkup(name) ? withoutMarkup(value) : value]),
  };
}

/** The facts of all works together. */
class Gathered {
  count = 0;
  readonly authors = new Set<string>();
  readonly publications = new Set<string>();
  readonly publishers = new Set<string>();
  readonly keywords = new Set<string>();
  readonly keys = new Set<string>();
  readonly kinds = new Map<string, number>();
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  get years(): string {
    if (this.#first > this.#last) return '';
    return this.#first === this.#last ? String(this.#first) : `${this.#first}–${this.#last}`;
  }

  add(entry: BibliographicEntry, text: StructuredText): void {
    this.count++;
    if (this.kinds.size < 100 && entry.kind !== '')
      this.kinds.set(entry.kind, (this.kinds.get(entry.kind) ?? 0) + 1);
    note(this.keys, entry.key);
    const words: string[] = [];
    for (const [name, value] of entry.fields) {
      if (name === 'title') text.heading(value);
      else words.push(value);
      if (name === 'author' || name === 'editor') note(this.authors, value);
      else if (name === 'journal' || name === 'booktitle') note(this.publications, value);
      else if (name === 'publisher') note(this.publishers, value);
      else if (name === 'keywords') note(this.keywords, value);
      else if (name === 'url') text.references.add(value, true);
      else if (name === 'doi')
        text.references.add(`https://doi.org/${value.replace(/^https?:\/\/(?:dx\.)?doi\.org\//, '')}`, true);
      else if (name === 'year' || name === 'date') this.#year(value);
    }
    text.paragraph(words.join(' '));
  }

  #year(value: string): void {
    const year = Number(/\b(1[4-9]\d\d|20\d\d)\b/.exec(value)?.[1]);
    if (Number.isNaN(year)) return;
    this.#first = Math.min(this.#first, year);
    this.#last = Math.max(this.#last, year);
  }
}

function note(set: Set<string>, value: string): void {
  if (value !== '' && set.size < maxDistinct) set.add(value);
}
