export { AsciidocReader } from './asciidoc-reader.ts';
export { readFrontMatter } from './front-matter.ts';
export { inlineText, linkLabel } from './markdown-inline.ts';
export { RstReader } from './rst-reader.ts';
