import type { AttributeNote } from '../../../readers/document/index.ts';
import { type Card, vcards } from '../../../readers/personal/index.ts';
import { eachOf, fact, joined, languageTag, StructuredText } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of a vCard's summary. */
export const vcardAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The name on the card; an address book has the name of its file' },
  { name: 'Organization', what: 'The organisation, with its units' },
  { name: 'Position', what: 'Job title and role' },
  { name: 'Email', what: 'Mail addresses; several are numbered' },
  { name: 'Telephone', what: 'Telephone numbers; several are numbered' },
  { name: 'Address', what: 'Postal addresses; several are numbered' },
  { name: 'Description', what: 'The note on the card' },
  { name: 'Keywords', what: 'Its categories' },
  { name: 'Birthday', what: 'The birthday' },
  { name: 'Date', what: 'Date of the last revision, ISO 8601' },
  { name: 'Language', what: 'The language tag of the person' },
  { name: 'Format', what: 'vCard with its version' },
  { name: 'Cards', what: 'Number of cards' },
  { name: 'Headings', what: 'Of an address book: the names on its cards, one per line' },
  { name: 'URL-References', what: 'Web addresses on the cards' },
  { name: 'Full-Text', what: 'All texts of the cards' },
];

/** vCard 2.1 to 4.0: the facts of one card, or the names of an address book. */
export const summariseVcard: SyncSummariser = (document, options) => {
  const text = new StructuredText(options);
  text.isNamedByHeading = false;
  let cards = 0;
  let first: Card | undefined;
  for (const card of vcards(document.bytes, document.charset)) {
    if (cards++ === 0) first = card;
    // The name of a single card is the title.
    else {
      if (cards === 2 && first !== undefined) addCard(first, text);
      addCard(card, text);
    }
  }
  if (first === undefined) throw new SyntaxError('no card');
  const counted = [
    fact('Format', first.version === undefined ? 'vCard' : `vCard ${first.version}`),
    fact('Cards', cards),
  ];
  if (cards > 1) return text.extract(document, counted);
  text.title = first.name;
  addLines(first, text);
  return text.extract(document, [
    ...eachOf('Organization', first.organisations),
    joined('Position', first.positions),
    ...eachOf('Email', first.mails),
    ...eachOf('Telephone', first.telephones),
    ...eachOf('Address', first.addresses),
    fact('Description', first.notes.join(' ')),
    joined('Keywords', first.keywords),
    fact('Birthday', first.birthday),
    fact('Date', first.revised),
    fact('Language', languageTag(first.languages[0])),
    ...counted,
  ]);
};

function addCard(card: Card, text: StructuredText): void {
  text.heading(card.name, 2);
  addLines(card, text);
}

function addLines(card: Card, text: StructuredText): void {
  const { organisations, positions, mails, telephones, addresses, keywords } = card;
  text.lines(
    [card.name, ...organisations, ...positions, ...mails, ...telephones, ...addresses, ...keywords].join(
      '\n',
    ),
  );
  for (const note of card.notes) text.paragraph(note);
  for (const url of card.urls) text.references.add(url, true);
}
