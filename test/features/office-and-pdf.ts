import type { Area } from './feature.ts';

export const officeAndPdf: Area = {
  'office.number-formats': {
    feature:
      'Cells of Excel are read as their number formats show them: dates, durations, percentages, codes.',
    test: 'numbers are shown as their formats say, serial numbers of days as dates',
  },
  'office.number-formats-1904': {
    feature: 'Formats without a code, and days counted from 1904, are read as dates too.',
    test: 'formats without a code, and days from 1904',
  },
  'office.older-workbooks': {
    feature: 'Workbooks of Excel 5 and 95 are read in the charset of their code page.',
    test: 'a workbook before Excel 97 is read by its code page: names, formats, rich text, results, notes',
  },
  'office.tables-in-cells': {
    feature: 'A table within a cell is read with that cell, and no cell around it is lost.',
    test: 'a table within a cell belongs to that cell, in Word and in OpenDocument',
  },
  'office.word-xml': {
    feature: 'Word in a single XML file is read as Word, also under the name .doc.',
    test: 'Word in a single XML file, of 2003 or a package, is read as Word under any name',
  },
  'office.epub-locked': {
    feature: 'Encrypted pages of a book are left out, and a note says so.',
    test: 'encrypted pages of a book are left out with a note, and its package may be named from the root',
  },
  'pdf.stamps': {
    feature: 'Stamps and fields of a PDF without words of their own give what they draw.',
    test: 'stamps and fields with no words of their own give what they draw, unless they are hidden',
  },
  'pdf.uneven-columns': {
    feature: 'Columns of a scanned PDF whose lines are not at one height are read one after the other.',
    test: 'columns whose lines are not at one height, as in scans, are read one after the other',
  },
  'office.cells': {
    feature: 'XLSX, XLS and ODS give cells, comments, boxes, headers and hidden sheets alike.',
    test: 'cells of every format of workbooks are read as shown, with comments, boxes, headers and hidden sheets',
  },
  'office.cell-comments': {
    feature: 'Comments on cells are read once, threaded or not, and texts of shapes and charts.',
    test: 'threaded comments of Excel are read once, and older ones beside them',
  },
  'office.review': {
    feature: 'DOCX, DOC, ODT and RTF give headers, footers, notes, comments and boxes, and no deleted words.',
    test: 'headers, footers, notes, comments and boxes of texts are read in every format, deleted words in none',
  },
  'office.running-heads': {
    feature: 'A header or footer is read once, and one that only counts pages is not.',
    test: 'headers of Word come once, without the fields that count pages',
  },
  'office.slides': {
    feature: 'PPTX, PPT and ODP give notes of the speaker and footers, PPTX and ODP comments too.',
    test: 'notes, comments and footers of slides are read in every format',
  },
  'office.embedded': {
    feature: 'A document embedded in an office document is an object of its own, and the document names it.',
    test: 'documents embedded in office documents are documents of their own, tables of charts are not',
  },
  'pdf.columns': {
    feature: 'Columns of a page that were drawn row by row are read one after the other.',
    test: 'columns that were drawn row by row are read one after the other',
  },
  'pdf.columns-tables': {
    feature: 'Rows of a table with short cells stay rows.',
    test: 'rows of a table, a list of contents and two lines stay rows',
  },
  'pdf.form': {
    feature: 'The filled fields of a PDF form are read with their names, passwords left out.',
    test: 'filled fields of a form are read: texts, choices, boxes, radio buttons, signatures; no passwords',
  },
  'pdf.annotations': {
    feature: 'Notes and comments on the pages of a PDF are read.',
    test: 'notes and comments on pages are read, what links and fields say of themselves is not',
  },
  'pdf.attachments': {
    feature: 'A file attached to a PDF is an object of its own, and the PDF names it.',
    test: 'files attached to a PDF, by name or on a page, are documents of their own',
  },
  'office.unread-parts': {
    feature: 'An attached or embedded file that cannot be read is reported, and the others are read.',
    test: 'a fault among the attached or embedded files is reported, and the others are read',
  },
  'epub.title': {
    feature: 'Of several titles of a book the main one is its title.',
    test: 'of several titles of a book the main one is its title',
  },
  'epub.people': {
    feature: 'People of a book are authors or contributors by their roles.',
    test: 'people of a book are authors or contributors by their roles, in EPUB 2 and 3',
  },
  'epub.series': {
    feature: 'A book gives its series and its dates of publication and change.',
    test: 'series, date of publication and date of change of a book',
  },
};
