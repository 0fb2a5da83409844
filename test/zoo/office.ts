import type { Exhibit } from './exhibit.ts';

const office = (name: string) => ({
  made: `cp "$SOURCES/office/${name}" ${name}`,
  by: ['pandoc', 'soffice'],
  office: true as const,
});
const pandoc = (name: string) => ({ made: `pandoc -s -o ${name} "$SOURCES/paper.md"`, by: ['pandoc'] });

/** Makes the folder `$SOURCES/office`, one LibreOffice profile for all. */
export const officeCommand = `mkdir office; pandoc -s -o office/paper.odt paper.md; pandoc -s -o office/paper.pptx paper.md
convert() { timeout -k 5 60 soffice --headless -env:UserInstallation="file://$PWD/profile" --convert-to "$@" --outdir office; }
convert doc office/paper.odt; convert rtf office/paper.odt; convert pdf office/paper.odt; convert ppt office/paper.pptx; convert xls table.csv; convert ods table.csv`;

/** Documents of office programs. */
export const officeFiles: readonly Exhibit[] = [
  {
    type: 'PDF',
    name: 'paper.pdf',
    from: office('paper.pdf'),
    attributes: {
      Title: 'Discovery of Things',
      Keywords: /harvest/,
      Subject: 'Resource discovery',
      Pages: '1',
    },
  },
  {
    type: 'RTF',
    name: 'paper.rtf',
    from: office('paper.rtf'),
    attributes: {
      Title: 'Discovery of Things',
      'Author-1': 'Ann Author',
      'Author-2': 'Bob Writer',
      Keywords: 'harvest, soif',
      Subject: 'Resource discovery',
    },
  },
  {
    type: 'MSWord',
    name: 'paper.doc',
    from: office('paper.doc'),
    attributes: {
      Title: 'Discovery of Things',
      'Author-1': 'Ann Author',
      'Author-2': 'Bob Writer',
      Subject: 'Resource discovery',
      Keywords: 'harvest, soif',
      'URL-References': 'https://example.org/page',
    },
  },
  {
    type: 'MSPowerPoint',
    name: 'paper.ppt',
    from: office('paper.ppt'),
    attributes: {
      Title: 'Discovery of Things',
      'Author-1': 'Ann Author',
      'Author-2': 'Bob Writer',
      Subject: 'Resource discovery',
      Keywords: 'harvest, soif',
      Slides: '3',
    },
  },
  {
    type: 'MSExcel',
    name: 'table.xls',
    from: office('table.xls'),
    attributes: { Sheets: '1', Rows: '3', Cells: '6', Headings: 'table', 'Full-Text': /alpha 42\nbeta 43.5/ },
  },
  {
    type: 'OpenDocument',
    name: 'table.ods',
    from: office('table.ods'),
    attributes: {
      Creator: /^LibreOffice/,
      Sheets: '1',
      Cells: '6',
      Headings: 'table',
      'Full-Text': /alpha 42\nbeta 43.5/,
    },
  },
  {
    type: 'MSWord',
    name: 'paper.docx',
    from: pandoc('paper.docx'),
    attributes: {
      Title: 'Discovery of Things',
      'Author-1': 'Ann Author',
      'Author-2': 'Bob Writer',
      Subject: 'Resource discovery',
      Keywords: 'harvest, soif',
      Headings: /Introduction\nDetails of the matter/,
      'URL-References': 'https://example.org/page',
    },
  },
  {
    type: 'MSPowerPoint',
    name: 'paper.pptx',
    from: pandoc('paper.pptx'),
    attributes: {
      Title: 'Discovery of Things',
      'Author-1': 'Ann Author',
      'Author-2': 'Bob Writer',
      Subject: 'Resource discovery',
      Keywords: 'harvest, soif',
      Slides: '3',
    },
  },
  {
    type: 'OpenDocument',
    name: 'paper.odt',
    from: pandoc('paper.odt'),
    attributes: {
      Title: 'Discovery of Things',
      'Author-1': 'Ann Author',
      'Author-2': 'Bob Writer',
      Subject: 'Resource discovery',
      Keywords: 'harvest, soif',
      Headings: /Introduction\nDetails of the matter/,
      'URL-References': 'https://example.org/page',
    },
  },
];
