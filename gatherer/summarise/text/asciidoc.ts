import type { AttributeNote } from '../../../readers/document/index.ts';
import { AsciidocReader } from '../../../readers/markup/index.ts';
import { decodeText, eachOf, fact, joined, StructuredText } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of the summary of an AsciiDoc document. */
export const asciidocAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The document’s title' },
  {
    name: 'Description',
    what: 'Its `description` attribute, or the line of a manual page’s NAME section, else its first paragraph',
  },
  { name: 'Abstract', what: 'The block marked as its abstract' },
  { name: 'Author', what: 'The authors of its header' },
  { name: 'Date', what: 'The date of its revision' },
  { name: 'Version', what: 'Its revision number' },
  { name: 'Keywords', what: 'Its `keywords` attribute' },
  { name: 'Language', what: 'Its `lang` attribute' },
  { name: 'Options', what: 'Options that it explains as labelled list items' },
  { name: 'See-Also', what: 'Manual pages it links to' },
  { name: 'Headings', what: 'The headings of sections' },
];

/** AsciiDoc: header with authors, revision and attributes, sections, blocks, links, text without markup. */
export const summariseAsciidoc: SyncSummariser = (document, options) => {
  const text = new StructuredText(options);
  const reader = new AsciidocReader(text);
  reader.read(decodeText(document.bytes, document.charset).split(/\r\n?|\n/));
  const { attributes } = reader;
  return text.extract(document, [
    fact('Description', attributes.get('description') ?? reader.description ?? text.lead),
    ['Abstract', reader.abstract],
    ...eachOf('Author', reader.authors),
    fact('Date', reader.date ?? attributes.get('revdate')),
    fact('Version', reader.version ?? attributes.get('revnumber')),
    joined('Keywords', (attributes.get('keywords') ?? '').split(',')),
    fact('Language', attributes.get('lang')),
    joined('Options', reader.options, '\n'),
    joined('See-Also', reader.pages),
  ]);
};
