import type { AttributeNote, Field } from '../../../readers/document/index.ts';
import { RstReader } from '../../../readers/markup/index.ts';
import { decodeText, eachOf, fact, joined, StructuredText } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of the summary of a reStructuredText document. */
export const restructuredTextAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The document’s title, else its first heading' },
  {
    name: 'Description',
    what: 'The description of its `meta` directive, else of its fields, else its first paragraph',
  },
  { name: 'Author', what: 'The authors of its bibliographic fields or `sectionauthor`' },
  { name: 'Date', what: 'The date of its bibliographic fields' },
  { name: 'Version', what: 'The version of its bibliographic fields' },
  { name: 'Keywords', what: 'Keywords of its `meta` directive, entries of `index` directives' },
  { name: 'Definitions', what: 'Functions, classes, options and modules that its directives describe' },
  { name: 'Copyright', what: 'The copyright of its bibliographic fields' },
  { name: 'Headings', what: 'The headings of sections' },
];

/** reStructuredText with Sphinx's directives; comments, mathematics and raw markup are left out. */
export const summariseRestructuredText: SyncSummariser = (document, options) => {
  const lines = decodeText(document.bytes, document.charset)
    .split(/\r\n?|\n/)
    .map((line) => (line.includes('\t') ? line.replaceAll('\t', '        ') : line));
  const text = new StructuredText(options);
  // References to other documents have no ending; they get that of this document.
  const reader = new RstReader(text, /\.[A-Za-z]\w{0,9}(?:\.txt)?$/.exec(document.name)?.[0] ?? '.rst');
  reader.read(lines);
  const { info } = reader;
  const all = (...names: string[]) => names.flatMap((name) => info.get(name) ?? []);
  const fields: Field[] = [
    fact('Description', all('description', 'abstract', 'summary')[0] ?? text.lead),
    ...eachOf('Author', all('author', 'authors')),
    fact('Date', all('date', 'created', 'last-modified')[0]),
    fact('Version', all('version', 'revision')[0]),
    joined('Keywords', [...all('keywords').flatMap((list) => list.split(/[,;]/)), ...reader.keywords]),
    joined('Definitions', reader.definitions, '\n'),
    fact('Copyright', all('copyright')[0]),
  ];
  text.title ??= all('title')[0];
  return text.extract(document, fields);
};
