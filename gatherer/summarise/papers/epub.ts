import { ZipParts } from '../../../readers/archives/index.ts';
import type { AttributeNote, Field, RecognisedDocument } from '../../../readers/document/index.ts';
import { withoutMarkup } from '../../../readers/html/index.ts';
import { readPackage } from '../../../readers/office/epub/index.ts';
import { eachOf, fact, joined, languageTag, StructuredText } from '../../../readers/text/index.ts';
import type { Summariser } from '../summariser.ts';
import { summariseHtml } from '../text/html.ts';

/** Attributes of a book's summary. */
export const epubAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The main title of the book' },
  { name: 'Subtitle', what: 'Its other titles' },
  { name: 'Author', what: 'Its author; several are numbered' },
  { name: 'Contributor', what: 'People with another role, such as illustrators and translators' },
  { name: 'Series', what: 'The series, with the number of the book there' },
  { name: 'Publisher', what: 'Its publisher' },
  { name: 'Subject', what: 'Its subject' },
  { name: 'Description', what: 'The publisher’s description, without markup' },
  { name: 'Language', what: 'The language tag of the book' },
  { name: 'Identifier', what: 'Its ISBN or other identifier' },
  { name: 'Publication-Date', what: 'Date of publication, as written' },
  { name: 'Modification-Date', what: 'Date of the last change, ISO 8601' },
  { name: 'Rights', what: 'The copyright statement' },
  { name: 'Chapters', what: 'Number of documents in reading order' },
  { name: 'Images', what: 'Number of pictures' },
  { name: 'Format-Version', what: 'The version of EPUB' },
  { name: 'Headings', what: 'Headings of the chapters, in reading order' },
];

/** EPUB: Dublin Core of the package, then each chapter's headings, links and text in reading order. */
export const summariseEpub: Summariser = async (document, options) => {
  const text = new StructuredText(options);
  const parts = await ZipParts.open(document.bytes, text.notes);
  const book = await readPackage(parts, text.notes);
  const { metadata } = book;
  // Some programs write unknown instead of nothing.
  const known = (given: readonly string[]) => given.filter((value) => !/^(?:unknown|none)$/i.test(value));
  const values = (name: string) => known(metadata.other.get(name) ?? []);
  text.title = known([metadata.title ?? ''])[0];
  for (const name of book.spine) {
    const bytes = await parts.readable(name, text.notes);
    if (bytes !== undefined) await addChapter(text, document, bytes);
    if (!text.open && options.text !== 'none') break;
  }
  const fields: Field[] = [
    joined('Subtitle', metadata.otherTitles),
    ...eachOf('Author', known(metadata.authors)),
    ...eachOf('Contributor', known(metadata.contributors)),
    ...eachOf('Series', metadata.series),
    fact('Publisher', values('dc:publisher')[0]),
    joined('Subject', values('dc:subject')),
    fact('Description', withoutMarkup(values('dc:description')[0] ?? '')),
    fact('Language', languageTag(values('dc:language')[0]) ?? ''),
    ...eachOf('Identifier', values('dc:identifier')),
    fact('Publication-Date', metadata.published),
    fact('Modification-Date', metadata.modified),
    fact('Rights', values('dc:rights')[0]),
    fact('Chapters', book.spine.length),
    fact('Images', book.images),
    fact('Format-Version', book.version),
  ];
  return text.extract(document, fields);
};

/** A chapter as a page of its own; only addresses outside the book are references. */
async function addChapter(
  text: StructuredText,
  document: RecognisedDocument,
  bytes: Uint8Array,
): Promise<void> {
  const page = { ...document, bytes, type: 'HTML', mediaType: 'application/xhtml+xml', url: 'epub:/chapter' };
  const extract = await summariseHtml(page, { ...fullText, maxDocumentBytes: bytes.length });
  const headings = new Set((extract.fields.find(([name]) => name === 'Headings')?.[1] ?? '').split('\n'));
  for (const line of (extract.text?.blocks ?? []).flatMap((block) => block.text.split('\n'))) {
    if (headings.has(line)) text.heading(line);
    else text.paragraph(line);
  }
  const links = new Set(extract.links);
  for (const reference of extract.references)
    if (!reference.startsWith('epub:')) text.references.add(reference, links.has(reference));
}

const fullText = { text: 'full', maxTextBytes: 8 * 1024 * 1024 } as const;
