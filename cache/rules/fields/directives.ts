import { trimmed } from './fields.ts';

/** RFC 9111 1.2.2: the value of a delta-seconds that is larger than a cache can hold. */
const farFuture = 2 ** 31;

/** A cache directive's argument: absent, its text, or null when it violates the grammar. */
export type Argument = { readonly text: string; readonly quoted: boolean } | undefined | null;

/** The directives of Cache-Control or of a related field; names in lower case. */
export class Directives {
  readonly #arguments: ReadonlyMap<string, readonly Argument[]>;

  constructor(all: ReadonlyMap<string, readonly Argument[]>) {
    this.#arguments = all;
  }

  /** Whether the directive is there, with any argument. */
  has(name: string): boolean {
    return this.#arguments.has(name);
  }

  /** Whether the directive is there with no argument. */
  isBare(name: string): boolean {
    return this.#arguments.get(name)?.[0] === undefined && this.#arguments.has(name);
  }

  /** The first delta-seconds (RFC 9111 4.2.1), max 2^31; 'invalid' (stale) for no whole number. */
  seconds(name: string): number | 'invalid' | undefined {
    const all = this.#arguments.get(name);
    if (all === undefined) return undefined;
    return deltaSeconds(all[0]?.text) ?? 'invalid';
  }

  /**
   * The lower-case field names of a qualified `no-cache` or `private` (RFC 9111 5.2.2.4, 5.2.2.7); undefined
   * when it applies to the whole response, as `private=1` without quotes does.
   */
  fieldNames(name: string): readonly string[] | undefined {
    const all = this.#arguments.get(name);
    if (all === undefined) return undefined;
    const names: string[] = [];
    for (const argument of all) {
      if (!argument?.quoted) return undefined;
      const filled = argument.text
        .split(',')
        .map((each) => trimmed(each).toLowerCase())
        .filter((each) => each !== '');
      if (filled.length === 0 || !filled.every((each) => token.test(each))) return undefined;
      names.push(...filled);
    }
    return names;
  }
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** A delta-seconds (RFC 9111 1.2.2), max 2^31; undefined for any text that is not all digits. */
export function deltaSeconds(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d+$/.test(text)) return undefined;
  return Math.min(Number(text), farFuture);
}

/**
 * Parses Cache-Control's lines (RFC 9111 5.2): names regardless of case, arguments as token or quoted string,
 * unknown directives included. A directive that violates the grammar keeps its name, so that a mangled
 * `no-store` still applies, and gets an invalid argument, so that freshness never rests on a guess.
 */
export function parseDirectives(lines: readonly string[]): Directives {
  const [line] = lines;
  if (line === undefined) return none;
  return lines.length === 1 && line.length <= maxKnownLength ? knownOr(line) : parsed(lines);
}

const none = new Directives(new Map());

/** The lines read last: a site has few, and several rules read each response. */
const known = new Map<string, Directives>();
const maxKnown = 256;
const maxKnownLength = 256;

function knownOr(line: string): Directives {
  const before = known.get(line);
  if (before !== undefined) return before;
  if (known.size >= maxKnown) known.clear();
  const read = parsed([line]);
  // A line may be a slice of a whole head, which it would keep in memory.
  known.set(Buffer.from(line, 'utf16le').toString('utf16le'), read);
  return read;
}

function parsed(lines: readonly string[]): Directives {
  const all = new Map<string, Argument[]>();
  for (const line of lines) readLine(line, all);
  return new Directives(all);
}

// Name, then "=" and an argument: a quoted string that ends, or all up to the comma.
const directive = /([^\t ,="]+)(?:=("(?:[^"\\]|\\.)*"|[^,"]*))?([^,]*)/sy;
const separators = /[\t ,]*/y;

function readLine(line: string, all: Map<string, Argument[]>): void {
  let trusted = true;
  let at = 0;
  while (true) {
    separators.lastIndex = at;
    separators.exec(line);
    if (separators.lastIndex >= line.length) return;
    directive.lastIndex = separators.lastIndex;
    const found = directive.exec(line);
    if (found === null) {
      // A member without a name: nothing up to the next comma is a directive.
      at = line.indexOf(',', separators.lastIndex);
      if (at < 0) return;
      continue;
    }
    at = directive.lastIndex;
    const rest = trimmed(found[3] ?? '');
    // A quote without an end could have swallowed the following directives: from here on only names are used.
    if (rest.includes('"')) trusted = false;
    const argument = trusted && rest === '' ? argumentOf(found[2]) : null;
    const name = (found[1] ?? '').toLowerCase();
    const earlier = all.get(name);
    if (earlier === undefined) all.set(name, [argument]);
    else earlier.push(argument);
  }
}

function argumentOf(text: string | undefined): Argument {
  if (text === undefined) return undefined;
  if (text.startsWith('"')) return { text: text.slice(1, -1).replace(/\\(.)/gs, '$1'), quoted: true };
  // White space is allowed before a comma, not after "=".
  const bare = /^[\t ]/.test(text) ? '' : trimmed(text);
  return token.test(bare) ? { text: bare, quoted: false } : null;
}
