import { namePatterns } from './name-patterns.ts';

export interface QueryRulesOptions {
  /** Parameters that change nothing about the answer, as `namePatterns` reads them. */
  readonly ignore?: readonly string[];
  /** Whether the order of parameters with different names changes nothing either. */
  readonly sort?: boolean;
  /** Whether servers are not sent the ignored ones. */
  readonly strip?: boolean;
}

const nameOf = (parameter: string) => {
  const equals = parameter.indexOf('=');
  return equals < 0 ? parameter : parameter.slice(0, equals);
};

/**
 * What of a query tells responses apart, by the operator's word: RFC 3986 leaves it to the server. Parameters are what stands
 * between `&`, byte for byte; of those with one name the order always counts.
 */
export class QueryRules {
  readonly #ignores: ((name: string) => boolean) | undefined;
  readonly #sort: boolean;
  /** Whether servers are not sent what is ignored. */
  readonly strips: boolean;

  /** Throws CACHE_NAME_PATTERN. */
  constructor({ ignore = [], sort = false, strip = false }: QueryRulesOptions = {}) {
    this.#ignores = ignore.length === 0 ? undefined : namePatterns(ignore);
    this.#sort = sort;
    this.strips = strip && this.#ignores !== undefined;
  }

  /** What is kept for a URL is kept under this one, which is its own. A mark behind the URL stays. */
  keyOf(url: string): string {
    return this.#made(url, this.#sort);
  }

  /** The URL without what is ignored, in the order it came in. */
  stripped(url: string): string {
    return this.#made(url, false);
  }

  #made(url: string, sorted: boolean): string {
    const begin = url.indexOf('?');
    if (begin < 0 || (this.#ignores === undefined && !sorted) || !url.startsWith('http')) return url;
    const hash = url.indexOf('#', begin);
    const end = hash < 0 ? url.length : hash;
    const given = url.slice(begin + 1, end).split('&');
    const ignores = this.#ignores;
    const kept = ignores === undefined ? given : given.filter((one) => !ignores(nameOf(one)));
    // A stable sort: those of one name stay as they came.
    if (sorted) kept.sort((one, other) => order(nameOf(one), nameOf(other)));
    const query = kept.length === 0 ? '' : `?${kept.join('&')}`;
    return url.slice(0, begin) + query + url.slice(end);
  }
}

const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
