/** A stretch of time in seconds since 1970, its end not included. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** The text is a time and cannot be a number. */
  readonly isOnlyTime: boolean;
}

const iso =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/i;
const seconds = /^\d{5,15}$/;
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
// RFC 9110 section 5.6.7: IMF-fixdate, RFC 850, asctime.
const httpDates = [
  /^[a-z]{3}, (?<day>\d{2}) (?<month>[a-z]{3}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) (?:GMT|UTC|[+-]0000)$/i,
  /^[a-z]{6,9}, (?<day>\d{2})-(?<month>[a-z]{3})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/i,
  /^[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/i,
];

/** Whether an attribute's name says that it holds times: it is or ends with `Time` or `Date`. */
export const isTimeAttribute = (name: string) => /(?:^|-)(?:time|date)$/i.test(name.replace(/-\d{1,9}$/, ''));

/** Seconds since 1970 of a date in the Gregorian calendar, or undefined when there is no such day or time. */
function secondsOf(year: number, month: number, day: number, time: readonly number[]): number | undefined {
  const [hour = 0, minute = 0, second = 0] = time;
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.getTime() / 1000 + hour * 3600 + minute * 60 + second;
}

function isoSpan(text: string): Span | undefined {
  const found = iso.exec(text);
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second, zone] = found;
  const time = [hour, minute, second].map((part) => Number(part ?? 0));
  const local = secondsOf(Number(year), Number(month ?? 1), Number(day ?? 1), time);
  if (local === undefined) return undefined;
  const start = local - zoneSeconds(zone);
  const isOnlyTime = month !== undefined;
  if (second !== undefined) return { start, end: start + 1, isOnlyTime };
  if (hour !== undefined) return { start, end: start + 60, isOnlyTime };
  if (day !== undefined) return { start, end: start + 86_400, isOnlyTime };
  const [nextYear, nextMonth] =
    month === undefined || month === '12' ? [Number(year) + 1, 1] : [Number(year), Number(month) + 1];
  return { start, end: secondsOf(nextYear, nextMonth, 1, []) as number, isOnlyTime };
}

function zoneSeconds(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const digits = zone.replace(':', '');
  const size = Number(digits.slice(1, 3)) * 3600 + Number(digits.slice(3, 5)) * 60;
  return digits.startsWith('-') ? -size : size;
}

function httpSpan(text: string): Span | undefined {
  for (const form of httpDates) {
    const groups = form.exec(text)?.groups;
    if (groups === undefined) continue;
    const year = Number(groups.year);
    // RFC 850 has two digits: the century that RFC 9110 would choose for dates of this web.
    const full = groups.year?.length === 2 ? year + (year < 70 ? 2000 : 1900) : year;
    const time = (groups.time as string).split(':').map(Number);
    const month = months.indexOf((groups.month as string).toLowerCase()) + 1;
    const start = month === 0 ? undefined : secondsOf(full, month, Number(groups.day), time);
    return start === undefined ? undefined : { start, end: start + 1, isOnlyTime: true };
  }
  return undefined;
}

/**
 * The time span of a bound: an ISO date, all of it (`2024` the year, `2024-06` the month, `2024-06-30` the
 * day, with `T12:30` the minute, `T12:30:05` the second; UTC unless a zone is given), or an HTTP date. With
 * `orSeconds` also seconds since 1970, of at least five digits.
 */
export function timeSpanOf(text: string, orSeconds: boolean): Span | undefined {
  const trimmed = text.trim();
  if (orSeconds && seconds.test(trimmed))
    return { start: Number(trimmed), end: Number(trimmed) + 1, isOnlyTime: false };
  return isoSpan(trimmed) ?? httpSpan(trimmed);
}

/** Longer texts are not times. */
const maxTimeText = 64;

/** The time of a stored value, in seconds since 1970: digits, or a date that begins it. */
export function instantOf(value: string): number | undefined {
  if (value.length > maxTimeText) return undefined;
  const text = value.trim();
  if (/^\d{5,15}$/.test(text) || /^\d{1,3}$/.test(text)) return Number(text);
  return timeSpanOf(text, true)?.start;
}
