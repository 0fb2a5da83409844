const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const iso =
  /^\d{4}(?:-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s?(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/i;
/** The basic format of ISO 8601: `20190302T101500Z`. */
const basic = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{2}:?\d{2})?$/i;
/** Seconds or milliseconds since 1970, of the years 2001 to 2033. */
const unix = /^1\d{9}(?:\d{3})?$/;
/** `2019/3/2` of Highwire, `2019.03.02`, `2019-3-2`, also with a time; as Chinese and Japanese write it with signs. */
const numbers =
  /^(\d{4})\s?[/.\u5e74-]\s?(\d{1,2})(?:(?:\s?[/.\u6708-]\s?(\d{1,2})\u65e5?)(?:\s+\d{1,2}:\d{2}.{0,20})?|\u6708)?$/;
const digits = /^((?:1[5-9]|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/;
const dayFirst = /^(?:[a-z]+,?\s+)?(\d{1,2})(?:st|nd|rd|th)?\.?[\s-]+([a-z]{3})[a-z]*\.?,?[\s-]+(\d{4})\b/i;
const monthFirst = /^(?:[a-z]+,?\s+)?([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b/i;
/** Names its zone, so that the date does not depend on this machine's. */
const zoned = /^[a-z]{3}.{8,60}(?:GMT|UTC|[+-]\d{4})(?: \(.*\)| \d{4})?$/i;
const monthAlone = /^([a-z]{3})[a-z]*\.?,?\s+(\d{4})$/i;

/**
 * A date as ISO 8601, by which dates are compared and sorted; of an English date without a zone the day. A date that is
 * written in another way stays as it is, and a value without a year is none.
 */
export function isoDate(value: string): string | undefined {
  const text = value.trim().slice(0, 100);
  // `0000-00-00`, the year 1 and years before it are what programs write for no date.
  if (!/\d{4}/.test(text) || /^(?:000\d|-|\d{4}-00)/.test(text)) return undefined;
  if (iso.test(text))
    return text
      .replace(/(?<=^.{10}) /, 'T')
      .replace(/ ?(?:UTC|GMT)$/i, 'Z')
      .replace(' ', '')
      .replace(/(?<=T.*[+-]\d{2})(\d{2})?$/i, (_, minutes: string | undefined) => `:${minutes ?? '00'}`);
  if (basic.test(text))
    return isoDate(text.replace(basic, '$1-$2-$3T$4:$5:$6$7').replace(/:(?=[Z+-]|$)/i, ''));
  if (unix.test(text)) return isoDate(new Date(Number(text.padEnd(13, '0'))).toUTCString());
  if (zoned.test(text) && !Number.isNaN(Date.parse(text)))
    return new Date(text).toISOString().replace(/\.\d+Z$/, 'Z');
  const [, year, month, day] = numbers.exec(text) ?? digits.exec(text) ?? [];
  if (year !== undefined) return dated(year, Number(month), day) ?? text;
  const first = dayFirst.exec(text);
  if (first !== null) return dated(first[3], monthOf(first[2]), first[1]) ?? text;
  const second = monthFirst.exec(text);
  if (second !== null) return dated(second[3], monthOf(second[1]), second[2]) ?? text;
  const alone = monthAlone.exec(text);
  return alone === null ? text : (dated(alone[2], monthOf(alone[1]), undefined) ?? text);
}

const monthOf = (name: string | undefined) => months.indexOf((name ?? '').toLowerCase()) + 1;

/** Undefined when there is no such month or day. */
function dated(year: string | undefined, month: number, day: string | undefined): string | undefined {
  if (year === undefined || !(month >= 1 && month <= 12) || Number(day ?? 1) < 1 || Number(day ?? 1) > 31)
    return undefined;
  const start = `${year}-${String(month).padStart(2, '0')}`;
  return day === undefined ? start : `${start}-${day.padStart(2, '0')}`;
}
