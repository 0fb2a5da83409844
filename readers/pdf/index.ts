// PDF. Only text is read: nothing is drawn, no program in the file is run. `file/` finds the numbered objects
// of a file (`PdfFile`), `content/` executes the pages (`ContentInterpreter`), `fonts/` turns shown bytes
// into text, and readers/pages makes lines and paragraphs of it. pdf.js reads the files that this reader
// rejects. Read own-reader.ts, then file/file.ts and content/content.ts.
export { pdfAttachments } from './content/attachments.ts';
export { pdfErrors } from './file/errors.ts';
export { readPdfWithLibrary } from './library-reader.ts';
export { readPdf } from './own-reader.ts';
export type { PdfReading } from './reading.ts';
