import { namePatterns, type RawFields } from '../rules/index.ts';

/** Removes cookies that change no answer from requests, also to the origin: no response varies by them. */
export class IgnoredCookies {
  readonly #ignores: (name: string) => boolean;

  /** Names as `namePatterns` reads them. Throws CACHE_NAME_PATTERN. */
  constructor(names: readonly string[]) {
    this.#ignores = namePatterns(names);
  }

  /** The rest of a Cookie field (RFC 6265 4.2.1), unchanged when no cookie is ignored; undefined when none is left. */
  rest(value: string): string | undefined {
    const cookies = value.split(';');
    const kept = cookies.filter((cookie) => !this.#ignores((cookie.split('=', 1)[0] ?? '').trim()));
    if (kept.length === cookies.length) return value;
    const rest = kept.join(';').trim();
    return rest === '' ? undefined : rest;
  }

  without(fields: RawFields): RawFields {
    const kept: string[] = [];
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const [name, value] = [fields[at] as string, fields[at + 1] as string];
      const rest = name.toLowerCase() === 'cookie' ? this.rest(value) : value;
      if (rest !== undefined) kept.push(name, rest);
    }
    return kept;
  }
}
