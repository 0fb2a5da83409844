// Markup with few marks: AsciiDoc, Org, reStructuredText, and the inline marks and front matter of Markdown. Read
// rst-reader.ts, then rst-inline.ts.
export { AsciidocReader } from './asciidoc-reader.ts';
export { type FrontMatter, readFrontMatter } from './front-matter.ts';
export { inlineText, linkLabel } from './markdown-inline.ts';
export { OrgReader } from './org-reader.ts';
export { RstReader } from './rst-reader.ts';
