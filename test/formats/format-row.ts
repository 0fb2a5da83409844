/** A real document of a format or vocabulary, and what its summary says. */
export interface FormatRow {
  /** The format or vocabulary, as docs/summarisers.md names it. */
  readonly format: string;
  /** Below test/. */
  readonly file: string;
  /** What made it: never Garner. */
  readonly made: string;
  /** The type of the summary, where the document gives several. */
  readonly type?: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A document that was made for this table. */
export const input = (path: string) => `formats/inputs/${path}`;
/** A document of a case. */
export const caseOf = (path: string) => `cases/gatherer/${path}`;
/** What made the documents, with the contents that they were given. */
export const by = {
  attached: 'groff 1.22, qpdf 11',
  feed: 'the npm package feed 5',
  hexo: 'Hexo 8.1',
  office: 'LibreOffice 7.4',
  pandoc: 'pandoc 2.17',
  rdflib: 'rdflib 6.1, pandoc 2.17',
  report: 'made after a public bug report',
} as const;
