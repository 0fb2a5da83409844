// troff source: manual pages in the man and mdoc macros, papers in ms, me and mm. Read troff-reader.ts, then
// man-macros.ts.
export { ManMacros, manStrings } from './man-macros.ts';
export { ManualPage } from './manual-page.ts';
export { MdocMacros, mdocStrings } from './mdoc-macros.ts';
export { paperStrings } from './paper-macro-table.ts';
export { PaperMacros } from './paper-macros.ts';
export { renderTroff } from './troff-escapes.ts';
export { TroffReader } from './troff-reader.ts';
