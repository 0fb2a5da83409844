const maxValueLength = 1024 * 1024;
const maxEntryLength = 4 * 1024 * 1024;
const maxStringsLength = 4 * 1024 * 1024;
/** Faulty fields of an entry after which the next is searched for. */
const maxFaults = 8;
const months = 'January February March April May June July August September October November December';

/** An entry of a BibTeX file as it is written, with its abbreviations expanded. */
export interface BibtexSource {
  /** Entry type in lower case. */
  readonly kind: string;
  /** Citation key; empty when the entry has none. */
  readonly key: string;
  /** Names in lower case; values without their outer braces or quotes, TeX and line ends as written. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** False when the entry has no closing brace, or a fault without a good field after it: the fields are those before. */
  readonly closed: boolean;
}

/**
 * The entries of a BibTeX file, one at a time, in time linear in the file's size. `@string` abbreviations (at most
 * `maxString` characters each) and months are expanded, parts joined by `#` become one value. Text between entries
 * is a comment. After a value without end, reading continues on the next line that begins an entry.
 */
export function* bibtexSources(text: string, maxString = maxValueLength): Generator<BibtexSource> {
  const strings = new Map(months.split(' ').map((month) => [month.slice(0, 3).toLowerCase(), month]));
  let stringsLength = 0;
  const beginnings = new Beginnings(text);
  const marks = /@\s{0,20}([A-Za-z]{1,50})\s{0,20}([{(])/g;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const kind = (mark[1] ?? '').toLowerCase();
    if (kind === 'comment') continue;
    const source = text.slice(mark.index, beginnings.after(marks.lastIndex));
    const reader = new EntryReader(source, mark[0].length, mark[2] === '{' ? '}' : ')', strings);
    if (kind === 'preamble') reader.value();
    else if (kind === 'string')
      for (const [name, value] of reader.fields().fields) {
        // Abbreviations of abbreviations double with each line.
        stringsLength += value.length;
        if (stringsLength <= maxStringsLength) strings.set(name, value.slice(0, maxString));
      }
    else yield { kind, key: reader.key(), ...reader.fields() };
    marks.lastIndex = mark.index + reader.at;
  }
}

/** A value that swallowed the next field has no end of its own. */
const fieldWithin = /\n[ \t]{0,40}[A-Za-z][\w-]{0,40}\s{0,20}=\s{0,20}[{"]/;

/** The places where a line begins an entry; each is searched for once. */
class Beginnings {
  readonly #text: string;
  readonly #pattern = /^[ \t]{0,20}@[ \t]{0,20}[A-Za-z]{1,50}\s{0,20}[{(]/gm;
  #next = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The first beginning at `at` or after it, or the text's end. */
  after(at: number): number {
    if (this.#next < at) {
      this.#pattern.lastIndex = at;
      this.#next = this.#pattern.exec(this.#text)?.index ?? this.#text.length;
    }
    return this.#next;
  }
}

class EntryReader {
  readonly #text: string;
  readonly #close: string;
  readonly #strings: ReadonlyMap<string, string>;
  at: number;

  constructor(text: string, at: number, close: string, strings: ReadonlyMap<string, string>) {
    this.#text = text;
    this.at = at;
    this.#close = close;
    this.#strings = strings;
  }

  /** The key before the first comma; empty when a field comes first. */
  key(): string {
    const from = this.at;
    this.#match(/\s*/y);
    const key = this.#match(/[^\s,{}()"=#%]{1,500}/y) ?? '';
    this.#match(/[^,{}="\n]{0,200}\s*/y);
    if (/[,})]/.test(this.#text.charAt(this.at))) return key;
    this.at = from;
    return '';
  }

  /** The fields up to the closing brace; after a fault those of the following lines that begin one. */
  fields(): Pick<BibtexSource, 'fields' | 'closed'> {
    const fields: [string, string][] = [];
    let length = 0;
    let faults = 0;
    while (true) {
      this.#match(/[\s,]*/y);
      if (this.#text[this.at] === this.#close) {
        this.at++;
        return { fields, closed: true };
      }
      const start = this.at;
      const name = this.#match(/[^\s=,{}()"#]{1,200}/y);
      this.#match(/\s*/y);
      const value = name !== undefined && this.#match(/=/y) !== undefined ? this.value() : undefined;
      if (name === undefined || value === undefined || fieldWithin.test(value)) {
        if (++faults > maxFaults || !this.#toNextField(start)) return { fields, closed: false };
        continue;
      }
      length += value.length;
      if (length <= maxEntryLength) fields.push([name.toLowerCase(), value]);
    }
  }

  /** Moves to the next line that begins a field or ends the entry; false, and no move, when there is none. */
  #toNextField(from: number): boolean {
    const next = /\n[ \t]{0,40}(?=[A-Za-z][\w-]{0,40}\s{0,20}=|[})][ \t]{0,20}(?:\r?\n|$))/g;
    next.lastIndex = from;
    if (next.exec(this.#text) === null) return false;
    this.at = next.lastIndex;
    return true;
  }

  /** The parts joined by `#`; undefined when one of them is malformed or has no end. */
  value(): string | undefined {
    let value = '';
    do {
      this.#match(/\s*/y);
      const part = this.#part();
      if (part === undefined) return undefined;
      if (value.length < maxValueLength) value += part;
      this.#match(/\s*/y);
    } while (this.#match(/#/y) !== undefined);
    return value;
  }

  #part(): string | undefined {
    const character = this.#text[this.at];
    if (character === '{') return this.#delimited('}');
    if (character === '"') return this.#delimited('"');
    const word = this.#match(/[^\s,#{}()"=]{1,200}/y);
    return word === undefined ? undefined : (this.#strings.get(word.toLowerCase()) ?? word);
  }

  // Up to the closing brace or quote, braces balanced; a backslash does not escape a brace in BibTeX.
  #delimited(close: string): string | undefined {
    const start = this.at + 1;
    let depth = 0;
    const signs = /[{}"]/g;
    signs.lastIndex = start;
    for (let sign = signs.exec(this.#text); sign !== null; sign = signs.exec(this.#text)) {
      const character = sign[0];
      this.at = sign.index + 1;
      if (depth === 0 && character === close) return this.#text.slice(start, sign.index);
      if (character === '{') depth++;
      else if (character === '}' && --depth < 0) return undefined;
    }
    this.at = this.#text.length;
    return undefined;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}
