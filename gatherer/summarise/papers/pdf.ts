import { isGarnerError } from '../../../kernel/index.ts';
import type {
  AttributeNote,
  Extract,
  Field,
  RecognisedDocument,
  SummariseOptions,
} from '../../../readers/document/index.ts';
import { addPages, titleOfPages } from '../../../readers/pages/index.ts';
import { type PdfReading, pdfErrors, readPdf } from '../../../readers/pdf/index.ts';
import {
  eachOf,
  fact,
  joined,
  languageTag,
  readableBytes,
  StructuredText,
} from '../../../readers/text/index.ts';
import type { Summariser } from '../summariser.ts';

/** Attributes of a PDF's summary. */
export const pdfAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title the file names, else its largest words on the first page' },
  { name: 'Author', what: 'Its author; several are numbered' },
  { name: 'Abstract', what: 'The paragraph below the word Abstract' },
  { name: 'Subject', what: 'The subject that the file names' },
  { name: 'Keywords', what: 'The keywords the file names' },
  { name: 'Rights', what: 'The copyright statement of the XMP packet' },
  { name: 'Language', what: 'The language tag of the whole document' },
  { name: 'Creation-Date', what: 'Date of creation, ISO 8601' },
  { name: 'Modification-Date', what: 'Date of the last change, ISO 8601' },
  { name: 'Creator', what: 'The program in which the document was written' },
  { name: 'Producer', what: 'The program that made the PDF' },
  { name: 'Attachments', what: 'Names of attached files, which are documents of their own' },
  { name: 'Pages', what: 'Number of pages' },
  { name: 'Format-Version', what: 'The version of PDF' },
  { name: 'Headings', what: 'The titles of the outline, else lines larger than the text' },
];

/**
 * PDF: metadata, outline, links and text in reading order, without end-of-line hyphens, running heads and page numbers;
 * then the filled fields of its form, and notes and comments on its pages.
 * Our own reader reads it; uncertain files are read by pdf.js. Locked and image-only files get a note.
 */
export const summarisePdf: Summariser = async (document, options) => {
  const text = new StructuredText(options);
  const characters = text.open ? 2 * readableBytes(options) : 0;
  let reading: PdfReading;
  try {
    reading = await readEither(document.bytes, characters);
  } catch (error) {
    const locked =
      isGarnerError(error, pdfErrors.GATHERER_PDF_LOCKED) || (error as Error).name === 'PasswordException';
    if (!locked) throw error;
    text.notes.push('The document is encrypted and opens only with a password.');
    return text.extract(document, []);
  }
  return extractOf(document, options, reading, text);
};

async function readEither(bytes: Uint8Array, characters: number): Promise<PdfReading> {
  try {
    return readPdf(bytes, { characters });
  } catch (error) {
    if (isGarnerError(error, pdfErrors.GATHERER_PDF_LOCKED)) throw error;
    const { readPdfWithLibrary } = await import('../../../readers/pdf/index.ts');
    const reading = await readPdfWithLibrary(bytes, { characters });
    const mute = isGarnerError(error, pdfErrors.GATHERER_PDF_MUTE);
    return mute ? { ...reading, notes: [...reading.notes, `${error.message}: text is missing.`] } : reading;
  }
}

function extractOf(
  document: RecognisedDocument,
  options: SummariseOptions,
  reading: PdfReading,
  text: StructuredText,
): Extract {
  const { metadata } = reading;
  text.notes.push(...reading.notes);
  text.title = metadata.title ?? titleOfPages(reading.lines);
  for (const link of reading.links) text.references.add(link, true);
  const abstract = options.text === 'none' ? undefined : addPages(text, reading.lines);
  for (const words of [...reading.values, ...reading.remarks]) text.paragraph(words);
  if (reading.lines.every((lines) => lines.length === 0))
    text.notes.push('The pages hold no text, only pictures.');
  if (reading.outline.length > 0) text.headings.splice(0, text.headings.length, ...reading.outline);
  const fields: Field[] = [
    ...eachOf(
      'Author',
      metadata.authors.flatMap((names) => names.split(';')),
    ),
    fact('Abstract', abstract),
    fact('Subject', metadata.subject),
    joined('Keywords', metadata.keywords),
    fact('Rights', metadata.rights),
    fact('Language', languageTag(metadata.language) ?? ''),
    fact('Creation-Date', metadata.created),
    fact('Modification-Date', metadata.modified),
    fact('Creator', metadata.creator),
    fact('Producer', metadata.producer),
    joined('Attachments', reading.attachments),
    fact('Pages', reading.pages),
    fact('Format-Version', reading.version),
  ];
  return text.extract(document, fields);
}
