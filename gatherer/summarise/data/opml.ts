import type { AttributeNote } from '../../../readers/document/index.ts';
import { isoDate, readOpml } from '../../../readers/feeds/index.ts';
import { declaredCharset, decodeText, fact, joined, StructuredText } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of the summary of an outline. */
export const opmlAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title of the outline' },
  { name: 'Author', what: 'The name of its owner, else the address' },
  { name: 'Date', what: 'Date of its latest change, ISO 8601' },
  { name: 'Keywords', what: 'Categories of its lines' },
  { name: 'Format', what: 'OPML with its version' },
  { name: 'Entries', what: 'Number of its lines' },
  { name: 'Feeds', what: 'Number of feeds it lists' },
  { name: 'Headings', what: 'Its lines of the first level' },
  { name: 'URL-References', what: 'Feeds, their pages and other addresses in it' },
  { name: 'Full-Text', what: 'Its lines and their notes' },
];

const maxKeywords = 500;

/** OPML: lists of feeds and other outlines. */
export const summariseOpml: SyncSummariser = (document, options) => {
  const text = new StructuredText(options);
  const keywords = new Set<string>();
  let entries = 0;
  let feeds = 0;
  const source = decodeText(document.bytes, document.charset, declaredCharset(document.bytes));
  const facts = readOpml(source, (line) => {
    entries++;
    if (line.feed !== undefined) feeds++;
    for (const word of line.keywords) if (keywords.size < maxKeywords) keywords.add(word);
    if (line.level === 1) text.heading(line.text, 2);
    else text.paragraph(line.text, 'item');
    if (line.description !== line.text) text.paragraph(line.description);
    for (const reference of line.references) text.references.add(reference, true);
  });
  if (!facts.found) throw new SyntaxError('no outline');
  text.title = facts.title || undefined;
  text.isNamedByHeading = false;
  return text.extract(document, [
    fact('Author', facts.owner),
    fact('Date', isoDate(facts.modified)),
    joined('Keywords', keywords),
    fact('Format', facts.version === undefined ? 'OPML' : `OPML ${facts.version}`),
    fact('Entries', entries),
    fact('Feeds', feeds || undefined),
  ]);
};
