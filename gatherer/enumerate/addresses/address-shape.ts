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

const months =
  /(?<![a-z])(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])/g;
/** Values of programs: digits and letters mixed, or hexadecimal. */
const token = /(?<![a-z\d])(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{8,}(?![a-z\d])/g;
const maxKey = 300;
const deep = 4;

/** One segment of a path without what counts or names a day. */
function segmentShape(segment: string): string {
  return segment.toLowerCase().replace(token, '*').replace(months, '#').replace(/\d+/g, '#');
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
  if (made >= 0 && made < path.length - 1) return short(`${host}/${path.slice(0, made + 1).join('/')}/...`);
  return path.length >= deep ? short(`${host}/${path[0]}/...`) : undefined;
}

const short = (key: string) => (key.length <= maxKey ? key : `${key.slice(0, maxKey)}...`);
