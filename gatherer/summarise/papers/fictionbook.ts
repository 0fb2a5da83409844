import type { AttributeNote } from '../../../readers/document/index.ts';
import { readFictionBook } from '../../../readers/office/fictionbook/index.ts';
import {
  declaredCharset,
  decodeText,
  eachOf,
  fact,
  joined,
  languageTag,
  StructuredText,
} from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of the summary of a FictionBook. */
export const fictionBookAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title of the book' },
  { name: 'Author', what: 'Its authors; several are numbered' },
  { name: 'Contributor', what: 'Its translators; several are numbered' },
  { name: 'Description', what: 'Its annotation' },
  { name: 'Keywords', what: 'Its keywords and genres' },
  { name: 'Language', what: 'The language tag of the book' },
  { name: 'Date', what: 'Date of writing, as given' },
  { name: 'Series', what: 'The series, with its number there' },
  { name: 'Publisher', what: 'The publisher of the printed book' },
  { name: 'Year', what: 'Year of the printed book' },
  { name: 'ISBN', what: 'Its ISBN' },
  { name: 'Identifier', what: 'The identifier of the file' },
  { name: 'Images', what: 'Number of pictures' },
  { name: 'Headings', what: 'The titles of its parts' },
  { name: 'URL-References', what: 'The addresses it links to' },
  { name: 'Full-Text', what: 'The text of its bodies, notes included' },
];

/** FictionBook 2: the description, then titles and paragraphs of all bodies. */
export const summariseFictionBook: SyncSummariser = (document, options) => {
  const text = new StructuredText(options);
  const source = decodeText(document.bytes, document.charset, declaredCharset(document.bytes));
  const book = readFictionBook(source, text);
  if (!book.found) throw new SyntaxError('no FictionBook');
  text.title = book.title || undefined;
  return text.extract(document, [
    ...eachOf('Author', book.authors),
    ...eachOf('Contributor', book.translators),
    fact('Description', book.description),
    joined('Keywords', [...book.keywords, ...book.genres]),
    fact('Language', languageTag(book.language)),
    fact('Date', book.date),
    fact('Series', book.series),
    fact('Publisher', book.publisher),
    fact('Year', book.year),
    fact('ISBN', book.isbn),
    fact('Identifier', book.identifier),
    fact('Images', book.pictures || undefined),
  ]);
};
