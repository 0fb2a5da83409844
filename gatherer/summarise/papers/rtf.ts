import { latin1Start } from '../../../readers/bytes/index.ts';
import type { AttributeNote } from '../../../readers/document/index.ts';
import { RtfReader } from '../../../readers/office/rtf/index.ts';
import { eachOf, fact, joined, StructuredText } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of an RTF document's summary. */
export const rtfAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title of the info group, else the first heading' },
  { name: 'Author', what: 'Its author; several are numbered' },
  { name: 'Subject', what: 'Its subject' },
  { name: 'Keywords', what: 'The keywords of the info group' },
  { name: 'Description', what: 'The comment of the info group' },
  { name: 'Organisation', what: 'The company of the info group' },
  { name: 'Category', what: 'The category of the info group' },
  { name: 'Last-Editor', what: 'The person who changed it last' },
  { name: 'Creation-Date', what: 'Date of creation, ISO 8601 without zone' },
  { name: 'Modification-Date', what: 'Date of the last change, ISO 8601 without zone' },
  { name: 'Pages', what: 'Number of pages, as counted by its program' },
  { name: 'Words', what: 'Number of words, as counted by its program' },
  { name: 'Headings', what: 'Paragraphs whose style is a heading' },
];

/** RTF: the info group, headings, links and text with notes in brackets. */
export const summariseRtf: SyncSummariser = (document, options) => {
  const { bytes } = document;
  const source = latin1Start(bytes);
  const text = new StructuredText(options);
  const reader = new RtfReader(source, text);
  reader.read();
  const { information } = reader;
  text.title = information.get('title') || undefined;
  return text.extract(document, [
    ...eachOf('Author', (information.get('author') ?? '').split(';')),
    fact('Subject', information.get('subject')),
    joined('Keywords', (information.get('keywords') ?? '').split(/[,;]/)),
    fact('Description', information.get('doccomm')),
    fact('Organisation', information.get('company')),
    fact('Category', information.get('category')),
    fact('Last-Editor', information.get('operator')),
    fact('Creation-Date', information.get('creatim')),
    fact('Modification-Date', information.get('revtim')),
    fact('Pages', information.get('nofpages')),
    fact('Words', information.get('nofwords')),
  ]);
};
