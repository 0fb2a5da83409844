/** OpenDocument, packed (odt, ods, odp, odg) or flat (fodt): properties from meta.xml, text from content.xml. */
export { openDocumentAttributes, summariseOpenDocument } from './open-document.ts';
