import { parametersOf } from './ignored-parameters.ts';

/** What addresses that a program makes have in common. */
export interface AddressShape {
  /** Host, path with `#` for numbers and `*` for other made values, and the names of the parameters. */
  readonly fine: string;
  /** A wider pattern; undefined when the address looks written by a person. */
  readonly wide: string | undefined;
  /** A few segments that repeat more than three times behind one another. */
  readonly repeats: boolean;
}

/** Languages whose calendars name months and days in addresses. */
const languages = 'en de fr es it pt nl sv da nb fi pl cs hu tr ru'.split(' ');

/** Names of months and days, of English also the short ones; with and without marks, as addresses escape them. */
function calendarNames(): ReadonlySet<string> {
  const names = new Set('jan feb mar apr may jun jul aug sep sept oct nov dec maerz'.split(' '));
  for (const language of languages)
    for (const field of ['month', 'weekday'] as const) {
      const format = new Intl.DateTimeFormat(language, { [field]: 'long', timeZone: 'UTC' });
      for (let at = 0; at < 12; at += 1) {
        const name = format.format(Date.UTC(2024, at, at + 1)).toLowerCase();
        const plain = name.normalize('NFD').replace(/\p{M}/gu, '');
        for (const written of [name, plain]) names.add(encodeURIComponent(written).toLowerCase());
      }
    }
  return names;
}
let calendar: ReadonlySet<string> | undefined;
/** Letters, some escaped. */
const word = /(?:[a-z]|%[cd][\da-f]%[89ab][\da-f])+/g;
/** Values of programs: digits and letters mixed, or hexadecimal. */
const token = /(?<![a-z\d])(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{8,}(?![a-z\d])/g;
const maxKey = 300;
const deep = 4;

/** One segment of a path without what counts or names a day. */
function segmentShape(segment: string): string {
  calendar ??= calendarNames();
  const names = calendar;
  const made = segment.toLowerCase().replace(token, '*');
  return made.replace(word, (one) => (names.has(one) ? '#' : one)).replace(/\d+/g, '#');
}

/** The segments with each repeated sequence once, as `(a/b)+`. */
function collapsed(segments: readonly string[]): {
  readonly path: readonly string[];
  readonly longest: number;
} {
  const path: string[] = [];
  let longest = 1;
  for (let at = 0; at < segments.length; ) {
    let [length, times] = [1, 1];
    for (let size = 1; size <= 3; size += 1) {
      const piece = (count: number) => segments.slice(at + count * size, at + (count + 1) * size).join('/');
      let repeats = 1;
      while (at + (repeats + 1) * size <= segments.length && piece(repeats) === piece(0)) repeats += 1;
      // A date is no repetition.
      const isDate = piece(0) === '#' && repeats < deep;
      if (repeats > 1 && !isDate && repeats * size > length * times) [length, times] = [size, repeats];
    }
    const sequence = segments.slice(at, at + length);
    path.push(...(times > 1 ? [`(${sequence.join('/')})+`] : sequence));
    longest = Math.max(longest, times);
    at += length * times;
  }
  return { path, longest };
}

/** The shape of a URL in normal spelling. */
export function addressShape(url: string): AddressShape {
  const at = url.indexOf('?');
  const whole = at < 0 ? url : url.slice(0, at);
  const [host = ''] = /^[^/]*\/\/[^/]*/.exec(whole) ?? [];
  const segments = whole
    .slice(host.length + 1)
    .split('/')
    .map(segmentShape);
  const { path, longest } = collapsed(segments);
  const names = at < 0 ? [] : parametersOf(url.slice(at + 1)).map(({ name }) => name.replace(/\d+/g, '#'));
  const query = at < 0 ? '' : `?${[...new Set(names)].sort().join('&')}`;
  const fine = `${host}/${path.join('/')}`;
  return { fine: short(fine + query), wide: wideOf(host, path, fine, query), repeats: longest > 3 };
}

function wideOf(host: string, path: readonly string[], fine: string, query: string): string | undefined {
  if (query !== '') return short(`${fine}?...`);
  const made = path.findIndex((segment) => /[#*+]/.test(segment));
  const repeats = made > 0 && path[made]?.endsWith('+') === true;
  if (made >= 0 && made < path.length - 1 && !repeats)
    return short(`${host}/${path.slice(0, made + 1).join('/')}/...`);
  return path.length >= deep || repeats ? short(`${host}/${path[0]}/...`) : undefined;
}

const short = (key: string) => (key.length <= maxKey ? key : `${key.slice(0, maxKey)}...`);
