// OpenDocument, packed (odt, ods, odp, odg) or flat (fodt): properties from meta.xml, text from content.xml.
// Read content-reader.ts.
export { ContentReader, HeaderReader } from './content-reader.ts';
export { type OpenDocumentProperties, readProperties } from './properties.ts';
