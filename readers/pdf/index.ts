/**
 * PDF. `PdfFile` finds the numbered objects of a file, `ContentInterpreter` executes what pages show, fonts tell what
 * the shown bytes mean, and page-text makes lines and paragraphs of it. Only text is read: nothing is drawn, no program
 * in the file is run. What this reader is unsure of, pdf.js reads.
 */
export { pdfErrors } from './file/errors.ts';
export { readPdfWithLibrary } from './library-reader.ts';
export { readPdf } from './own-reader.ts';
export type { PdfReading } from './reading.ts';
