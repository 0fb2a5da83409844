// Office Open XML: `OfficePackage` finds the parts and their relations, one reader for each kind of document.
// Read package.ts, then word.ts.
export { type EmbeddedDocument, embeddedDocuments, embeddedNames } from './embedded.ts';
export { summariseOfficeOpenXml } from './office-open-xml.ts';
export { readWordXml } from './word.ts';
