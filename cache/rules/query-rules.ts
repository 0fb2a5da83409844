import { namePatterns } from './name-patterns.ts';

export interface QueryRulesOptions {
  /** Parameters that do not change the answer, as `namePatterns` reads them. */
  readonly ignore?: readonly string[];
  /** Whether the order of parameters with different names does not change it either. */
  readonly sort?: boolean;
  /** Whether ignored parameters are removed from requests to servers. */
  readonly strip?: boolean;
}

const nameOf = (parameter: string) => {
  const equals = parameter.indexOf('=');
  return equals < 0 ? parameter : parameter.slice(0, equals);
};

/**
 * Which parts of a query distinguish responses, by the operator's settings. Parameters are separated by `&`
 * and compared byte for byte; repeated ones keep their order.
 */
export class QueryRules {
  readonly #ignores: ((name: string) => boolean) | undefined;
  readonly #sort: boolean;
  /** Whether ignored parameters are removed from requests to servers. */
  readonly strips: boolean;

  /** Throws CACHE_NAME_PATTERN. */
  constructor({ ignore = [], sort = false, strip = false }: QueryRulesOptions = {}) {
    this.#ignores = ignore.length === 0 ? undefined : namePatterns(ignore);
    this.#sort = sort;
    this.strips = strip && this.#ignores !== undefined;
  }

  /** The URL under which the responses of `url` are stored. A mark behind the URL stays. */
  keyOf(url: string): string {
    return this.#made(url, this.#sort);
  }

  /** The URL without ignored parameters, in its original order. */
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
    // A stable sort: parameters of the same name keep their order.
    if (sorted) kept.sort((one, other) => order(nameOf(one), nameOf(other)));
    const query = kept.length === 0 ? '' : `?${kept.join('&')}`;
    return url.slice(0, begin) + query + url.slice(end);
  }
}

const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
