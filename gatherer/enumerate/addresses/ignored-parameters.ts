/** One parameter of a query, as written. */
export interface Parameter {
  readonly name: string;
  readonly text: string;
}

/** The parameters of a query without its question mark; `;` separates too where there is no `&`. */
export function parametersOf(query: string): readonly Parameter[] {
  const separator = query.includes('&') ? '&' : ';';
  return query
    .split(separator)
    .filter((text) => text !== '')
    .map((text) => ({ name: text.replace(/=.*$/s, ''), text }));
}

/** A URL with only the parameters that are kept. Its fragment is not expected. */
export function withParameters(url: string, keep: (parameter: Parameter) => boolean): string {
  const at = url.indexOf('?');
  if (at < 0) return url;
  const query = url.slice(at + 1);
  const all = parametersOf(query);
  const kept = all.filter(keep);
  if (kept.length === all.length) return url;
  const separator = query.includes('&') ? '&' : ';';
  const left = kept.map(({ text }) => text).join(separator);
  return left === '' ? url.slice(0, at) : `${url.slice(0, at)}?${left}`;
}

/** Takes the listed parameters off addresses, from the query and from `;name=value` behind a path segment. */
export class IgnoredParameters {
  readonly #names: RegExp | undefined;

  /** Names without regard to case; `*` in a name means any characters. */
  constructor(names: readonly string[]) {
    const words = names.map((name) => name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*'));
    this.#names = words.length === 0 ? undefined : new RegExp(`^(?:${words.join('|')})$`, 'i');
  }

  /** The listed parameters that a link has. */
  namesIn(link: string): readonly string[] {
    const names = this.#names;
    if (names === undefined || !/[?;]/.test(link)) return [];
    const found = link.replace(/#.*$/s, '').match(/(?<=[?&;])[^=&;?#/]+/g) ?? [];
    return [...new Set(found)].filter((name) => names.test(name));
  }

  /** The URL without them. */
  strip(url: string): string {
    const names = this.#names;
    if (names === undefined || !/[?;]/.test(url)) return url;
    const bare = withParameters(url, ({ name }) => !names.test(name));
    const at = bare.indexOf('?');
    const path = at < 0 ? bare : bare.slice(0, at);
    if (!path.includes(';')) return bare;
    const short = path.replace(/;([^;/=]*)(?:=[^;/]*)?/g, (part: string, name: string) =>
      names.test(name) ? '' : part,
    );
    return short + (at < 0 ? '' : bare.slice(at));
  }
}
