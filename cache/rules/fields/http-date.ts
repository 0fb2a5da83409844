const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const clock = '(\\d\\d):(\\d\\d):(\\d\\d)';
const month = `(${months.join('|')})`;
const shortDay = '(?:mon|tue|wed|thu|fri|sat|sun)';
const longDay = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)';

// Letters in any case are accepted; everything else is strict.
const imfFixdate = new RegExp(`^${shortDay}, (\\d\\d) ${month} (\\d{4}) ${clock} gmt$`, 'i');
const rfc850 = new RegExp(`^${longDay}, (\\d\\d)-${month}-(\\d\\d) ${clock} gmt$`, 'i');
const asctime = new RegExp(`^${shortDay} ${month} ([\\d ]\\d) ${clock} (\\d{4})$`, 'i');

/**
 * An HTTP-date (RFC 9110 5.6.7: IMF-fixdate and the two obsolete forms) as seconds since 1970, undefined for all else.
 * `nowSeconds` decides the century of a two-digit year: at most fifty years ahead.
 */
export function parseHttpDate(text: string | undefined, nowSeconds: number): number | undefined {
  if (text === undefined) return undefined;
  const fixed = imfFixdate.exec(text);
  if (fixed !== null) return instant(fixed[3], fixed[2], fixed[1], fixed, 4);
  const ansi = asctime.exec(text);
  if (ansi !== null) return instant(ansi[6], ansi[1], ansi[2], ansi, 3);
  const old = rfc850.exec(text);
  if (old === null) return undefined;
  const thisYear = new Date(nowSeconds * 1000).getUTCFullYear();
  let year = thisYear - (thisYear % 100) + Number(old[3]);
  if (year > thisYear + 50) year -= 100;
  return instant(String(year), old[2], old[1], old, 4);
}

function instant(
  yearText: string | undefined,
  monthText: string | undefined,
  dayText: string | undefined,
  found: RegExpExecArray,
  clockAt: number,
): number | undefined {
  const year = Number(yearText);
  const monthIndex = months.indexOf((monthText ?? '').toLowerCase());
  const day = Number(dayText);
  const hour = Number(found[clockAt]);
  const minute = Number(found[clockAt + 1]);
  const second = Number(found[clockAt + 2]);
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const date = new Date(0);
  // Not Date.UTC, which maps the years 0 to 99 to 1900 to 1999.
  date.setUTCFullYear(year, monthIndex, day);
  // The 30th of February would have moved on into March.
  if (date.getUTCMonth() !== monthIndex) return undefined;
  return date.getTime() / 1000 + hour * 3600 + minute * 60 + second;
}

/** Seconds since 1970 as an IMF-fixdate. */
export function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}
