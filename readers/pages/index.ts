/**
 * Text of pages that say where each letter stands and not what it belongs to, as PDF, PostScript and DVI do. Pieces
 * become lines (`LineAssembler`), running heads and page numbers go, lines become paragraphs
 * with their hyphens mended (`addPages`).
 */
export { addPages, titleOfPages } from './add-pages.ts';
export { LineAssembler, type PageLine } from './line-assembler.ts';
export { texTexts, texTextsOf } from './tex-encodings.ts';
