import { latin1Start } from '../../../readers/bytes/index.ts';
import type { AttributeNote } from '../../../readers/document/index.ts';
import { TexinfoReader } from '../../../readers/tex/index.ts';
import { decodeText, eachOf, fact, joined, StructuredText } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of the summary of a Texinfo document. */
export const texinfoAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title (`@settitle`, else `@title`)' },
  {
    name: 'Description',
    what: 'Its description in the Info directory, else its subtitle or first paragraph',
  },
  { name: 'Author', what: 'The authors of its title page' },
  { name: 'Category', what: 'Its category in the Info directory' },
  { name: 'Keywords', what: 'The entries of its concept index' },
  { name: 'Definitions', what: 'The functions, variables, options and commands it defines or indexes' },
  { name: 'Copyright', what: 'The first copyright line' },
  { name: 'Nodes', what: 'The names of its nodes' },
  { name: 'Headings', what: 'The headings of chapters and sections' },
];

/** Texinfo manuals: title page, nodes, chapters, index entries, definitions. */
export const summariseTexinfo: SyncSummariser = (document, options) => {
  const start = latin1Start(document.bytes, 8192);
  const coding = /^@documentencoding\s+([\w-]{2,30})/m.exec(start)?.[1];
  const text = new StructuredText(options);
  const reader = new TexinfoReader(text);
  reader.read(decodeText(document.bytes, document.charset, coding).split(/\r\n?|\n/));
  text.title = reader.settitle ?? reader.titles[0];
  return text.extract(document, [
    fact('Description', reader.description ?? reader.subtitle ?? text.lead),
    ...eachOf('Author', reader.authors),
    fact('Category', reader.category),
    joined('Keywords', reader.concepts),
    joined('Definitions', reader.definitions, '\n'),
    fact('Copyright', reader.copyright),
    joined('Nodes', reader.nodes, '\n'),
  ]);
};
