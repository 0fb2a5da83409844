import type { AttributeNote } from '../../../readers/document/index.ts';
import { type CalendarEntry, readCalendar } from '../../../readers/personal/index.ts';
import { eachOf, fact, joined, StructuredText } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of a calendar's summary. */
export const calendarAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The name of the calendar, else what its only entry is called' },
  { name: 'Description', what: 'Its description, else that of its only entry' },
  { name: 'Author', what: 'The organisers of its entries; several are numbered' },
  { name: 'Keywords', what: 'Categories of its entries' },
  { name: 'Date', what: 'Begin of its first entry, ISO 8601; local time without a zone' },
  { name: 'End', what: 'End of its last entry' },
  { name: 'Modification-Date', what: 'Date of the latest change of an entry' },
  { name: 'Place', what: 'Places of its entries, joined by semicolons' },
  { name: 'Attendees', what: 'Names of the people invited' },
  { name: 'Repetition', what: 'Of a single entry: the rule of its repetition' },
  { name: 'Time-Zone', what: 'The time zone of the calendar' },
  { name: 'Software', what: 'The program that made it' },
  { name: 'Format', what: 'iCalendar or vCalendar with its version' },
  { name: 'Entries', what: 'Number of events, tasks, journal entries and busy times' },
  { name: 'Headings', what: 'What its entries are called, one per line' },
  { name: 'URL-References', what: 'Addresses of entries and attachments' },
  { name: 'Full-Text', what: 'Names, times, places and descriptions of its entries' },
];

const maxNames = 200;

/** iCalendar (RFC 5545) and vCalendar 1.0: facts of the calendar, then each entry. */
export const summariseCalendar: SyncSummariser = (document, options) => {
  const text = new StructuredText(options);
  const organisers = new Set<string>();
  const places = new Set<string>();
  const keywords = new Set<string>();
  const attendees = new Set<string>();
  let entries = 0;
  let only: CalendarEntry | undefined;
  let modified = '';
  let begin = '';
  let end = '';
  const calendar = readCalendar(
    document.bytes,
    (entry) => {
      only = entries++ === 0 ? entry : undefined;
      const names: [Set<string>, readonly string[]][] = [
        [organisers, [entry.organiser]],
        [places, [entry.location]],
        [keywords, entry.keywords],
        [attendees, entry.attendees],
      ];
      for (const [set, values] of names)
        for (const value of values) if (set.size < maxNames && value !== '') set.add(value);
      if (entry.start !== undefined && (begin === '' || entry.start < begin)) begin = entry.start;
      if ((entry.end ?? entry.start ?? '') > end) end = entry.end ?? entry.start ?? '';
      if ((entry.modified ?? '') > modified) modified = entry.modified ?? '';
      addEntry(entry, text);
    },
    document.charset,
  );
  if (!calendar.found && entries === 0) throw new SyntaxError('no calendar');
  text.title = calendar.name ?? only?.summary;
  // The first of many entries does not name a calendar.
  text.isNamedByHeading = entries === 1;
  return text.extract(document, [
    fact('Description', calendar.description ?? only?.description),
    ...eachOf('Author', organisers),
    joined('Keywords', keywords),
    fact('Date', begin),
    fact('End', end),
    fact('Modification-Date', modified),
    joined('Place', places, '; '),
    joined('Attendees', attendees),
    fact('Repetition', only?.rule),
    fact('Time-Zone', calendar.zone),
    fact('Software', calendar.producer),
    fact('Format', calendar.version === '1.0' ? 'vCalendar 1.0' : `iCalendar ${calendar.version ?? ''}`),
    fact('Entries', entries),
  ]);
};

function addEntry(entry: CalendarEntry, text: StructuredText): void {
  text.heading(entry.summary, 2);
  const times = [entry.start, entry.end].filter((time) => time !== undefined).join(' – ');
  const facts = [
    times,
    entry.location,
    entry.organiser,
    entry.attendees.join(', '),
    entry.keywords.join(', '),
  ];
  text.lines(facts.filter(Boolean).join('\n'));
  for (const part of entry.description.split(/\n{2,}/)) text.paragraph(part);
  for (const reference of entry.references)
    if (/^[a-z]+:/i.test(reference)) text.references.add(reference, true);
}
