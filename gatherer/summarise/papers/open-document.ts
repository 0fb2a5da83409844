import { ZipParts } from '../../../readers/archives/index.ts';
import type {
  AttributeNote,
  Extract,
  RecognisedDocument,
  SummariseOptions,
} from '../../../readers/document/index.ts';
import {
  ContentReader,
  type OpenDocumentProperties,
  readProperties,
} from '../../../readers/office/open-document/index.ts';
import { StructuredText, single } from '../../../readers/text/index.ts';
import { readXml } from '../../../readers/xml/index.ts';

/** What an OpenDocument's summary holds. */
export const openDocumentAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title of its properties, else the first heading' },
  { name: 'Author', what: 'Who began it; several are numbered' },
  { name: 'Subject', what: 'What it is about' },
  { name: 'Keywords', what: 'The keywords of its properties' },
  { name: 'Description', what: 'The comment of its properties' },
  { name: 'Language', what: 'The language of its properties' },
  { name: 'Creation-Date', what: 'When it was made, ISO 8601' },
  { name: 'Modification-Date', what: 'When it was last changed, ISO 8601' },
  { name: 'Creator', what: 'The program that wrote it' },
  { name: 'Pages', what: 'How many pages its program counted' },
  { name: 'Words', what: 'How many words its program counted' },
  { name: 'Tables', what: 'How many tables its program counted' },
  { name: 'Images', what: 'How many pictures its program counted' },
  { name: 'Objects', what: 'How many embedded objects its program counted' },
  { name: 'Cells', what: 'How many cells of a spreadsheet are filled' },
  { name: 'Sheets', what: 'How many sheets a spreadsheet has; their names are headings' },
  { name: 'Slides', what: 'How many slides a presentation, or pages a drawing, has' },
  { name: 'Headings', what: 'Headings of the text, names of sheets' },
];

/** OpenDocument text, spreadsheet, presentation or drawing, packed or flat: properties, headings, tables, notes, text. */
export async function summariseOpenDocument(
  document: RecognisedDocument,
  options: SummariseOptions,
): Promise<Extract> {
  const text = new StructuredText(options);
  const reader = new ContentReader(text);
  let properties: OpenDocumentProperties;
  if (document.bytes[0] === 0x50 && document.bytes[1] === 0x4b) {
    const parts = await ZipParts.open(document.bytes);
    const meta = await parts.readable('meta.xml', text.notes);
    const manifest = await parts.readable('META-INF/manifest.xml', text.notes);
    properties = readProperties(meta ?? new Uint8Array());
    if (manifest?.includes('encryption-data'))
      text.notes.push('The document is encrypted and opens only with a password.');
    else readXml((await parts.readable('content.xml', text.notes)) ?? new Uint8Array(), reader);
  } else {
    properties = readProperties(document.bytes);
    readXml(document.bytes, reader);
  }
  text.title = properties.title;
  return text.extract(document, [
    ...properties.fields,
    single('Sheets', reader.sheets > 0 ? String(reader.sheets) : undefined),
    single('Slides', reader.slides > 0 ? String(reader.slides) : undefined),
  ]);
}
