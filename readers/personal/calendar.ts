import { readFragment } from '../html/index.ts';
import { beginning, oneLine } from '../text/index.ts';
import { type ContentLine, contentLines, plainValue, valueParts } from './content-lines.ts';
import { dateOf } from './vcards.ts';

/** An event, a task, a journal entry or a time of absence in a calendar. */
export interface CalendarEntry {
  readonly kind: 'event' | 'task' | 'journal' | 'busy';
  readonly summary: string;
  readonly description: string;
  readonly location: string;
  /** ISO 8601: a day, a local time, or a time in UTC. */
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly modified: string | undefined;
  readonly organiser: string;
  readonly attendees: readonly string[];
  readonly keywords: readonly string[];
  readonly references: readonly string[];
  /** The rule of its repetition, as written. */
  readonly rule: string | undefined;
}

/** What a calendar says of itself. */
export interface CalendarFacts {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly producer: string | undefined;
  readonly version: string | undefined;
  readonly zone: string | undefined;
  readonly method: string | undefined;
  readonly found: boolean;
}

const kinds: ReadonlyMap<string, CalendarEntry['kind']> = new Map([
  ['VEVENT', 'event'],
  ['VTODO', 'task'],
  ['VJOURNAL', 'journal'],
  ['VFREEBUSY', 'busy'],
]);
const maxEntryLines = 5000;
const maxOpen = 100;

/** Reads iCalendar and vCalendar; `onEntry` receives the entries in their order. */
export function readCalendar(
  bytes: Uint8Array,
  onEntry: (entry: CalendarEntry) => void,
  charset?: string,
): CalendarFacts {
  const own = new Map<string, string>();
  const open: string[] = [];
  let entry:
    | { readonly kind: CalendarEntry['kind']; readonly depth: number; readonly lines: ContentLine[] }
    | undefined;
  let found = false;
  const finish = () => {
    if (entry !== undefined) onEntry(entryOf(entry.kind, entry.lines));
    entry = undefined;
  };
  for (const line of contentLines(bytes, charset)) {
    const part = line.value.trim().toUpperCase();
    if (line.name === 'BEGIN') {
      found ||= part === 'VCALENDAR';
      const kind = kinds.get(part);
      // Entries do not nest: the end of the one before is missing.
      if (kind !== undefined) {
        finish();
        entry = { kind, depth: open.length, lines: [] };
      }
      if (open.length < maxOpen) open.push(part);
    } else if (line.name === 'END') {
      const at = open.lastIndexOf(part);
      if (at >= 0) open.length = at;
      if (entry !== undefined && open.length <= entry.depth) finish();
    } else if (entry !== undefined) {
      // An alarm within it has texts of its own.
      if (open.length === entry.depth + 1 && entry.lines.length < maxEntryLines) entry.lines.push(line);
    } else if (open.length === 1 && !own.has(line.name)) own.set(line.name, plainValue(line.value).trim());
  }
  finish();
  const value = (...names: readonly string[]) => names.map((name) => own.get(name)).find(Boolean);
  return {
    name: value('NAME', 'X-WR-CALNAME'),
    description: value('DESCRIPTION', 'X-WR-CALDESC'),
    producer: value('PRODID'),
    version: value('VERSION'),
    zone: value('X-WR-TIMEZONE', 'TZ'),
    method: value('METHOD'),
    found,
  };
}

const maxAttendees = 500;

function entryOf(kind: CalendarEntry['kind'], lines: readonly ContentLine[]): CalendarEntry {
  const of = (name: string) => lines.filter((line) => line.name === name);
  const text = (name: string) =>
    of(name)
      .map(({ value }) => plainValue(value).trim())
      .find(Boolean) ?? '';
  const html = of('X-ALT-DESC').find(({ parameters }) => /html/i.test(parameters.get('FMTTYPE') ?? ''));
  const written = text('DESCRIPTION') || (html === undefined ? '' : plainValue(html.value));
  // Web calendars write HTML there.
  const isHtml = /<\/?(?:a|b|br|div|em|html|i|li|ol|p|span|strong|table|u|ul)\b[^<>]{0,2000}>/i.test(written);
  const { text: description, references } = isHtml
    ? readFragment(written, 'about:blank')
    : { text: written, references: { references: [] } };
  const start = dateOf(text('DTSTART') || undefined);
  const addresses = [...of('URL'), ...of('CONFERENCE'), ...of('ATTACH')]
    .filter(({ parameters }) => parameters.get('VALUE') !== 'BINARY' && !parameters.has('ENCODING'))
    .map(({ value }) => value.trim());
  return {
    kind,
    summary: oneLine(text('SUMMARY')),
    description: beginning(description, 64 * 1024),
    location: oneLine(text('LOCATION')),
    start,
    end: dateOf(text('DTEND') || text('DUE') || undefined) ?? endOf(start, text('DURATION')),
    modified: dateOf(text('LAST-MODIFIED') || text('DTSTAMP') || undefined),
    organiser: of('ORGANIZER').map(personOf)[0] ?? '',
    attendees: of('ATTENDEE').slice(0, maxAttendees).map(personOf).filter(Boolean),
    keywords: of('CATEGORIES').flatMap(({ value }) => valueParts(value, ',')),
    references: [...addresses, ...references.references],
    rule: text('RRULE') || undefined,
  };
}

const hour = 3_600_000;

/** The end of an entry of some duration (RFC 5545 3.3.6), in the form of its start. */
function endOf(start: string | undefined, duration: string): string | undefined {
  const parts =
    /^\+?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/.exec(duration);
  const begins = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(Z?))?$/.exec(start ?? '');
  if (parts === null || begins === null) return undefined;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  const [, day = '', time, zone = ''] = begins;
  const ms = Date.parse(`${day}T${time ?? '00:00:00'}Z`);
  const length = (weeks * 7 + days) * 24 * hour + hours * hour + minutes * (hour / 60) + seconds * 1000;
  if (!Number.isFinite(ms) || length === 0) return undefined;
  const end = new Date(ms + length).toISOString();
  return time === undefined ? end.slice(0, 10) : `${end.slice(0, 19)}${zone}`;
}

/** A person's name, else the address. */
function personOf({ value, parameters }: ContentLine): string {
  return oneLine(parameters.get('CN') ?? value.replace(/^mailto:/i, ''));
}
