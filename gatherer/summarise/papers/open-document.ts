import { ZipParts } from '../../../readers/archives/index.ts';
import type { AttributeNote } from '../../../readers/document/index.ts';
import {
  ContentReader,
  HeaderReader,
  type OpenDocumentProperties,
  readProperties,
} from '../../../readers/office/open-document/index.ts';
import { embeddedNames } from '../../../readers/office/open-xml/index.ts';
import { fact, joined, StructuredText } from '../../../readers/text/index.ts';
import { readXml } from '../../../readers/xml/index.ts';
import type { Summariser } from '../summariser.ts';

/** Attributes of an OpenDocument's summary. */
export const openDocumentAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title of its properties, else the first heading' },
  { name: 'Author', what: 'Its first author; several are numbered' },
  { name: 'Subject', what: 'Its subject' },
  { name: 'Keywords', what: 'The keywords of its properties' },
  { name: 'Description', what: 'The comment of its properties' },
  { name: 'Language', what: 'The language of its properties' },
  { name: 'Creation-Date', what: 'Date of creation, ISO 8601' },
  { name: 'Modification-Date', what: 'Date of the last change, ISO 8601' },
  { name: 'Creator', what: 'The program that wrote it' },
  { name: 'Pages', what: 'Number of pages, as counted by its program' },
  { name: 'Words', what: 'Number of words, as counted by its program' },
  { name: 'Tables', what: 'Number of tables, as counted by its program' },
  { name: 'Images', what: 'Number of pictures, as counted by its program' },
  { name: 'Objects', what: 'Number of embedded objects, as counted by its program' },
  { name: 'Cells', what: 'Number of filled cells of a spreadsheet' },
  { name: 'Sheets', what: 'Number of sheets of a spreadsheet; their names are headings' },
  { name: 'Slides', what: 'Number of slides of a presentation, or of pages of a drawing' },
  { name: 'Attachments', what: 'Names of embedded files, which are documents of their own' },
  { name: 'Headings', what: 'Headings of the text, names of sheets' },
];

const maxObjects = 500;

/** OpenDocument, packed or flat: properties, headings, tables, notes, text, headers, footers, comments, objects in it. */
export const summariseOpenDocument: Summariser = async (document, options) => {
  const text = new StructuredText(options);
  const reader = new ContentReader(text);
  let properties: OpenDocumentProperties;
  let embedded: readonly string[] = [];
  if (document.bytes[0] === 0x50 && document.bytes[1] === 0x4b) {
    const parts = await ZipParts.open(document.bytes, text.notes);
    embedded = await embeddedNames(parts);
    const meta = await parts.readable('meta.xml', text.notes);
    const manifest = await parts.readable('META-INF/manifest.xml', text.notes);
    properties = readProperties(meta ?? new Uint8Array());
    if (manifest?.includes('encryption-data'))
      text.notes.push('The document is encrypted and opens only with a password.');
    else {
      const part = async (name: string) => (await parts.readable(name, text.notes)) ?? new Uint8Array();
      addBetweenHeaders(text, await part('styles.xml'), await part('content.xml'), reader);
      const objects = parts.names.filter((name) => /^[^/]+\/content\.xml$/.test(name)).slice(0, maxObjects);
      for (const name of objects) readXml(await part(name), new ContentReader(text));
    }
  } else {
    properties = readProperties(document.bytes);
    addBetweenHeaders(text, document.bytes, document.bytes, reader);
  }
  text.title = properties.title;
  return text.extract(document, [
    ...properties.fields,
    joined('Attachments', embedded),
    fact('Sheets', reader.sheets > 0 ? String(reader.sheets) : undefined),
    fact('Slides', reader.slides > 0 ? String(reader.slides) : undefined),
  ]);
};

function addBetweenHeaders(
  text: StructuredText,
  styles: Uint8Array,
  content: Uint8Array,
  reader: ContentReader,
): void {
  const running = new HeaderReader(text);
  readXml(styles, running);
  running.headers.addTo(text);
  readXml(content, reader);
  running.footers.addTo(text);
}
