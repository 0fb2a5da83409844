import { latin1Start } from '../../../readers/bytes/index.ts';
import type {
  AttributeNote,
  Extract,
  Field,
  RecognisedDocument,
  SummariseOptions,
} from '../../../readers/document/index.ts';
import {
  CompoundFile,
  isCompoundFile,
  readExcelBinary,
  readPowerPointBinary,
  readPropertySet,
  readWordBinary,
} from '../../../readers/office/binary/index.ts';
import { readWordXml, summariseOfficeOpenXml } from '../../../readers/office/open-xml/index.ts';
import { eachOf, fact, joined, StructuredText } from '../../../readers/text/index.ts';
import type { Summariser } from '../summariser.ts';
import { summariseHtml } from '../text/html.ts';
import { summariseRtf } from './rtf.ts';

/** Attributes of the summary of a Word, Excel or PowerPoint document, of either generation. */
export const msOfficeAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title of its properties, else the first heading' },
  { name: 'Author', what: 'Its author; several are numbered' },
  { name: 'Subject', what: 'Its subject' },
  { name: 'Keywords', what: 'The keywords of its properties' },
  { name: 'Description', what: 'The comment of its properties' },
  { name: 'Category', what: 'The category of its properties' },
  { name: 'Language', what: 'The language of its properties' },
  { name: 'Last-Editor', what: 'The person who changed it last' },
  { name: 'Creation-Date', what: 'Date of creation, ISO 8601' },
  { name: 'Modification-Date', what: 'Date of the last saving, ISO 8601' },
  { name: 'Creator', what: 'The program that wrote it' },
  { name: 'Organisation', what: 'The company of its properties' },
  { name: 'Pages', what: 'Number of pages, as counted by its program' },
  { name: 'Words', what: 'Number of words, as counted by its program' },
  { name: 'Sheets', what: 'Number of sheets of a workbook; their names are headings' },
  { name: 'Rows', what: 'Number of filled rows of a workbook' },
  { name: 'Cells', what: 'Number of filled cells of a workbook' },
  { name: 'Slides', what: 'Number of slides of a presentation' },
  { name: 'Slides-With-Notes', what: 'Number of slides with speaker notes' },
  { name: 'Attachments', what: 'Names of embedded documents, which are documents of their own' },
  { name: 'Headings', what: 'Headings by style, titles of slides, names of sheets' },
];

/** Word, Excel and PowerPoint by their content: Office Open XML, the older compound file, RTF or HTML. */
export const summariseMsOffice: Summariser = async (document, options) => {
  const { bytes } = document;
  if (isCompoundFile(bytes)) return summariseCompound(document, options);
  const start = latin1Start(bytes, 512).trimStart();
  if (start.startsWith('{\\rtf')) return summariseRtf(document, options);
  if (/^(?:<!doctype html|<html)/i.test(start)) return await summariseHtml(document, options);
  if (/^(?:\xef\xbb\xbf)?<[?\w]/.test(start)) return summariseWordXml(document, options);
  return await summariseOfficeOpenXml(document, options);
};

function summariseWordXml(document: RecognisedDocument, options: SummariseOptions): Extract {
  const text = new StructuredText(options);
  const { title, author } = readWordXml(document.bytes, text);
  text.title = title;
  return text.extract(document, [...eachOf('Author', (author ?? '').split(';'))]);
}

function summariseCompound(document: RecognisedDocument, options: SummariseOptions): Extract {
  const file = new CompoundFile(document.bytes);
  const text = new StructuredText(options);
  const summary = readPropertySet(file.stream('\x05SummaryInformation') ?? new Uint8Array());
  const more = readPropertySet(file.stream('\x05DocumentSummaryInformation') ?? new Uint8Array());
  text.title = summary.get(2);
  const counts = readContent(file, text);
  return text.extract(document, [
    ...eachOf('Author', (summary.get(4) ?? '').split(';')),
    fact('Subject', summary.get(3)),
    joined('Keywords', (summary.get(5) ?? '').split(/[,;]/)),
    fact('Description', summary.get(6)),
    fact('Category', more.get(2)),
    fact('Last-Editor', summary.get(8)),
    fact('Creation-Date', summary.get(12)),
    fact('Modification-Date', summary.get(13)),
    fact('Creator', summary.get(18)),
    fact('Organisation', more.get(15)),
    fact('Pages', positive(summary.get(14))),
    fact('Words', positive(summary.get(15))),
    ...counts,
  ]);
}

function positive(count: string | undefined): string | undefined {
  return count === '0' ? undefined : count;
}

function readContent(file: CompoundFile, text: StructuredText): readonly Field[] {
  try {
    if (file.owns('EncryptedPackage'))
      text.notes.push('The document is encrypted and opens only with a password.');
    else if (file.owns('Workbook') || file.owns('Book')) return readExcelBinary(file, text);
    else if (file.owns('PowerPoint Document')) return readPowerPointBinary(file, text);
    else readWordBinary(file, text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    text.notes.push(`The text could not be read: ${error.message}.`);
  }
  return [];
}
