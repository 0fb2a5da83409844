// Text of pages in formats that give the place of each letter only, such as PDF, PostScript and DVI. Pieces
// become lines (`LineAssembler`), running heads and page numbers are removed, lines become paragraphs without
// hyphenation (`addPages`). Read line-assembler.ts, then paragraphs.ts.
export { addPages, titleOfPages } from './add-pages.ts';
export type { PageLine } from './columns.ts';
export { LineAssembler } from './line-assembler.ts';
export { texTexts, texTextsOf } from './tex-encodings.ts';
