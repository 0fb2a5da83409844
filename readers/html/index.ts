// HTML pages as headings, text, links and metadata, in one pass. Read html-reader.ts, then html-elements.ts.
export { fragmentText, readFragment, withoutMarkup } from './fragment.ts';
export { elementsByName, isHiding } from './html-elements.ts';
export { HtmlReader } from './html-reader.ts';
export { type LinkHeader, readLinkHeader, refreshTarget } from './link-header.ts';
export type { Meta } from './page-relations.ts';
export { robotName, robotsDirectives } from './robots-directives.ts';
export { computed, isServerPage, withoutServerCode } from './server-code.ts';
export { StartTag } from './start-tag.ts';
