// What a page says of itself: meta elements (Highwire, Open Graph, Dublin Core, Twitter), JSON-LD, microdata, RDFa Lite
// and elements such as `time`, with one order of precedence. Read precedence.ts, then page-fields.ts; thing.ts is the
// model of structured data, page-subject.ts chooses the thing that a page is about.
export { articleBody, readJsonLd } from './json-ld.ts';
export { hasMarkup, MarkupReader } from './markup-reader.ts';
export { pageAttributes, pageFields } from './page-fields.ts';
export { precedence } from './precedence.ts';
