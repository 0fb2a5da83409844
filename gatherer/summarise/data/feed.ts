import { latin1Start } from '../../../readers/bytes/index.ts';
import type { AttributeNote, RecognisedDocument, SummariseOptions } from '../../../readers/document/index.ts';
import { type FeedFacts, type FeedItem, isoDate, readFeed } from '../../../readers/feeds/index.ts';
import { eachOf, fact, joined, languageTag, StructuredText } from '../../../readers/text/index.ts';
import type { Summariser } from '../summariser.ts';

/** Attributes of the summary of a feed. */
export const feedAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title of the feed' },
  { name: 'Description', what: 'Its description or subtitle, without markup' },
  { name: 'Author', what: 'Its authors, else those of its entries; several are numbered' },
  { name: 'Keywords', what: 'Categories of the feed and its entries' },
  { name: 'Date', what: 'Date of its latest change, ISO 8601' },
  { name: 'Language', what: 'The language tag of the feed' },
  { name: 'Copyright', what: 'Its statement of rights' },
  { name: 'Software', what: 'The program that made it' },
  { name: 'Format', what: '`RSS`, `Atom` or `JSON Feed`, with the version' },
  { name: 'Entries', what: 'Number of entries' },
  { name: 'Home-Page', what: 'The page that it belongs to' },
  { name: 'Hub', what: 'Addresses of its WebSub hubs, joined by commas' },
  { name: 'Headings', what: 'The titles of its entries, one per line' },
  { name: 'URL-References', what: 'The documents of its entries, and the addresses in their texts' },
  { name: 'Full-Text', what: 'Titles and texts of its entries, without markup' },
];

const maxNames = 100;

/** RSS, Atom and JSON Feed: facts of the channel, then title, text and links of each entry. */
export const summariseFeed: Summariser = async (document, options) => {
  const text = new StructuredText(options);
  const authors = new Set<string>();
  const keywords = new Set<string>();
  let items = 0;
  let newest: number | undefined;
  const onItem = (item: FeedItem) => {
    items++;
    newest = Math.max(item.modified ?? 0, newest ?? 0) || undefined;
    for (const author of item.authors) if (authors.size < maxNames) authors.add(author);
    for (const word of item.keywords) if (keywords.size < maxNames) keywords.add(word);
    addItem(item, text);
  };
  const { bytes, charset, url } = document;
  const feed = readFeed(bytes, { charset, url, onItem });
  if (feed === undefined) return otherwise(document, options);
  const { facts } = feed;
  text.title = facts.title || undefined;
  for (const link of [facts.home, facts.self, feed.next])
    if (link !== undefined) text.references.add(link, true);
  if (feed.cut) text.notes.push('Some entries were left out: too many.');
  return text.extract(document, [
    fact('Description', facts.description),
    ...eachOf('Author', facts.authors.length > 0 ? facts.authors : authors),
    joined('Keywords', [...facts.keywords, ...keywords]),
    fact('Date', isoDate(facts.modified ?? newest)),
    fact('Language', languageTag(facts.language)),
    fact('Copyright', facts.rights),
    fact('Software', facts.generator),
    fact('Format', formatOf(facts)),
    fact('Entries', items),
    fact('Home-Page', facts.home),
    joined('Hub', facts.hubs),
  ]);
};

function addItem(item: FeedItem, text: StructuredText): void {
  const { title, link, references } = item;
  text.heading(title, 2);
  text.paragraph(item.text);
  for (const reference of [link?.trim() ?? '', ...references]) text.references.add(reference, true);
}

const formatOf = ({ format, version }: FeedFacts) =>
  version === undefined ? format : `${format} ${version}`;

/** A file with the name of a feed that is none: other XML or JSON. */
async function otherwise(document: RecognisedDocument, options: SummariseOptions) {
  const start = latin1Start(document.bytes, 1000).trimStart();
  if (/^[[{]/.test(start)) {
    const { summariseJsonData } = await import('./json-data.ts');
    return summariseJsonData(document, options);
  }
  const { summariseXmlData } = await import('./xml-data.ts');
  return summariseXmlData(document, options);
}
