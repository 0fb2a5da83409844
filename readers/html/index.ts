// HTML pages as headings, text, links and metadata, in one pass. Read html-reader.ts, then html-elements.ts.
export { fragmentText } from './fragment.ts';
export { elementsByName } from './html-elements.ts';
export { HtmlReader } from './html-reader.ts';
export type { Meta } from './page-relations.ts';
export { robotName, robotsDirectives } from './robots-directives.ts';
export { TeeHandler } from './tee-handler.ts';
