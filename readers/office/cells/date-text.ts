import type { FormatSection, FormatToken } from './format-code.ts';

const secondsOfDay = 86_400;
const millisecondsOfDay = 1000 * secondsOfDay;
/** The serial number after the last day of the year 9999. */
const maxSerial = 2_958_466;
const maxWriters = 200;

/** Windows’ identifiers of languages by their lower ten bits (MS-LCID). */
const languages: Readonly<Record<number, string>> = {
  4: 'zh',
  5: 'cs',
  6: 'da',
  7: 'de',
  8: 'el',
  9: 'en',
  10: 'es',
  11: 'fi',
  12: 'fr',
  14: 'hu',
  16: 'it',
  17: 'ja',
  18: 'ko',
  19: 'nl',
  20: 'nb',
  21: 'pl',
  22: 'pt',
  25: 'ru',
  29: 'sv',
  31: 'tr',
  34: 'uk',
};

/** A date and time as its parts. */
interface Moment {
  readonly date: Date;
  /** Seconds since midnight. */
  readonly seconds: number;
}

/** Whether a section of a format shows a date, a time or a duration. */
export function showsDate({ tokens }: FormatSection): boolean {
  return tokens.some(({ kind }) => kind === 'date' || kind === 'elapsed');
}

/**
 * A serial number as its format shows it: a date in digits as in ISO 8601, since the order of its parts depends on the
 * reader's country; a date with names as written. Undefined for a number that is no date.
 */
export function dateText(serial: number, section: FormatSection, from1904: boolean): string | undefined {
  const tokens = withMinutes(section.tokens);
  const places = fractionPlaces(tokens);
  if (tokens.some(({ kind }) => kind === 'elapsed')) return elapsed(serial, tokens, places);
  const days = serial + (from1904 ? 1462 : 0);
  if (!(days >= 0 && days < maxSerial)) return undefined;
  const moment = momentOf(days, places);
  const has = (letters: RegExp) => tokens.some(({ kind, text }) => kind === 'date' && letters.test(text));
  const named = has(/^(?:m{3,}|d{3,}|g+|b+)$/);
  const [year, month, day] = [has(/^[ye]/), has(/^m/), has(/^d{1,2}$/)];
  if (!named && month && (year || day)) return isoText(moment, tokens, year && !day);
  return tokens.map((token) => shownToken(token, moment, section, tokens, places)).join('');
}

/** The letter m means minutes behind hours and before seconds; they become the letter n. */
function withMinutes(tokens: readonly FormatToken[]): readonly FormatToken[] {
  const parts = tokens.filter(({ kind }) => kind === 'date' || kind === 'elapsed');
  return tokens.map((token) => {
    if (token.kind !== 'date' || !/^mm?$/.test(token.text)) return token;
    const at = parts.indexOf(token);
    const minutes = /^h/.test(parts[at - 1]?.text ?? '') || /^s/.test(parts[at + 1]?.text ?? '');
    return minutes ? { ...token, text: token.text.replaceAll('m', 'n') } : token;
  });
}

/** The digits of seconds behind the point. */
function fractionPlaces(tokens: readonly FormatToken[]): number {
  return tokens.some(({ kind }) => kind === 'point')
    ? tokens.filter(({ kind }) => kind === 'digit').length
    : 0;
}

/** Excel counts a day that never was, 29 February 1900, so that earlier days are one further on. */
function momentOf(serial: number, places: number): Moment {
  const scale = 10 ** places;
  const all = Math.round(serial * secondsOfDay * scale) / scale;
  const day = Math.floor(all / secondsOfDay);
  const date = new Date(Date.UTC(1899, 11, day < 60 ? 31 : 30) + day * millisecondsOfDay);
  return { date, seconds: all - day * secondsOfDay };
}

function isoText({ date, seconds }: Moment, tokens: readonly FormatToken[], monthOnly: boolean): string {
  const day = date.toISOString().slice(0, monthOnly ? 7 : 10);
  const has = (letter: RegExp) => tokens.some(({ kind, text }) => kind === 'date' && letter.test(text));
  if (!has(/^h/)) return day;
  const time = [seconds / 3600, (seconds / 60) % 60, ...(has(/^s/) ? [seconds % 60] : [])];
  return `${day} ${time.map((part) => twoDigits(Math.floor(part))).join(':')}`;
}

function elapsed(serial: number, tokens: readonly FormatToken[], places: number): string {
  const scale = 10 ** places;
  const seconds = Math.round(Math.abs(serial) * secondsOfDay * scale) / scale;
  const units: Readonly<Record<string, number>> = { h: 3600, n: 60, m: 60, s: 1 };
  let largest = Number.POSITIVE_INFINITY;
  const shown = tokens.map(({ kind, text }) => {
    const unit = kind === 'date' || kind === 'elapsed' ? units[text.charAt(0)] : undefined;
    if (unit === undefined) return kind === 'literal' ? text : '';
    // The part in brackets holds all of the time that larger parts do not show.
    const value = Math.floor((kind === 'elapsed' ? seconds : seconds % largest) / unit);
    largest = unit;
    return padded(value, text) + (unit === 1 ? fraction(seconds, places) : '');
  });
  return (serial < 0 ? '-' : '') + shown.join('');
}

function shownToken(
  { kind, text }: FormatToken,
  { date, seconds }: Moment,
  { language = '' }: FormatSection,
  tokens: readonly FormatToken[],
  places: number,
): string {
  if (kind === 'half') return seconds < secondsOfDay / 2 ? 'AM' : 'PM';
  if (kind === 'literal' || kind === 'group' || (kind === 'point' && places === 0)) return text;
  if (kind !== 'date') return '';
  const name = (options: Intl.DateTimeFormatOptions) => writer(localeOf(language), options).format(date);
  const hour = Math.floor(seconds / 3600);
  switch (text.charAt(0)) {
    case 'y':
      return text.length < 3 ? twoDigits(date.getUTCFullYear() % 100) : String(date.getUTCFullYear());
    case 'e':
      return String(date.getUTCFullYear());
    case 'm':
      if (text.length < 3) return padded(date.getUTCMonth() + 1, text);
      return text.length === 3 ? name({ month: 'short' }) : name({ month: 'long' });
    case 'd':
      if (text.length < 3) return padded(date.getUTCDate(), text);
      return name({ weekday: text.length === 3 ? 'short' : 'long' });
    case 'h':
      return padded(tokens.some((token) => token.kind === 'half') ? hour % 12 || 12 : hour, text);
    case 'n':
      return padded(Math.floor(seconds / 60) % 60, text);
    case 's':
      return padded(Math.floor(seconds % 60), text) + fraction(seconds, places);
    default:
      return '';
  }
}

const writers = new Map<string, Intl.DateTimeFormat>();

/** A writer of names of one kind in a language; making one is slow. */
function writer(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = writers.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  if (writers.size < maxWriters) writers.set(key, known);
  return known;
}

function localeOf(language: string): string {
  const tag = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-[a-z]{2})?$/i.exec(language)?.[0];
  const number = Number.parseInt(language, 16);
  return tag !== undefined && !/^[a-f\d]+$/i.test(tag) ? tag : (languages[number & 0x3ff] ?? 'en');
}

function fraction(seconds: number, places: number): string {
  return places === 0 ? '' : (seconds % 1).toFixed(places).slice(1);
}

function padded(value: number, text: string): string {
  return String(value).padStart(text.length, '0');
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
