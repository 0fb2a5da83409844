import { DistinctPaths, type ExplodedRecord } from './record.ts';

const maxNameLength = 200;
const maxExpandedLength = 1024 * 1024;
const maxStringsLength = 4 * 1024 * 1024;
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const monthNames =
  'January February March April May June July August September October November December'.split(' ');

/**
 * The entries of a BibTeX file, each as a record named by its key. Fields have their names in lower case, `@string`
 * abbreviations and joined parts (`#`) are put together, the outer braces or quotes are gone, white space is one
 * space; TeX inside is as it was. `entrytype` comes first. Text between entries is a comment, as in BibTeX. An entry
 * that is not closed before the next line that begins one is dropped, and reading goes on there.
 */
export function* bibtexRecords(text: string): Generator<ExplodedRecord> {
  const strings = new Map(months.map((month, index) => [month, monthNames[index] ?? month]));
  const paths = new DistinctPaths();
  let number = 0;
  let stringsLength = 0;
  const beginnings = new Beginnings(text);
  const marks = /@[ \t]*([A-Za-z]{1,40})\s{0,20}([{(])/g;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const kind = (mark[1] ?? '').toLowerCase();
    if (kind === 'comment') continue;
    const bound = beginnings.after(marks.lastIndex);
    const reader = new EntryReader(
      text.slice(mark.index, bound),
      mark[0].length,
      mark[2] === '{' ? '}' : ')',
      strings,
    );
    const entry = reader.entry(kind === 'string' || kind === 'preamble');
    marks.lastIndex = entry === undefined ? bound : mark.index + reader.at;
    if (entry === undefined || kind === 'preamble') continue;
    if (kind === 'string') {
      for (const [name, value] of entry.fields) {
        stringsLength += value.length;
        // Abbreviations of abbreviations double with each line.
        if (stringsLength <= maxStringsLength) strings.set(name, value);
      }
      continue;
    }
    number++;
    yield {
      path: paths.of(entry.key === '' ? String(number) : entry.key),
      type: 'Bibliographic',
      bytes: Buffer.from(printed(kind, entry)),
      fields: [['entrytype', kind], ...entry.fields],
    };
  }
}

// An entry that stands by itself, its abbreviations written out.
function printed(kind: string, entry: BibtexEntry): string {
  const fields = entry.fields.map(([name, value]) => `  ${name} = {${value}},\n`).join('');
  return `@${kind}{${entry.key},\n${fields}}\n`;
}

// Where lines begin an entry, looked for once as reading goes on.
class Beginnings {
  readonly #text: string;
  readonly #pattern = /^[ \t]{0,20}@[ \t]{0,20}[A-Za-z]{1,40}\s{0,20}[{(]/gm;
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

interface BibtexEntry {
  readonly key: string;
  readonly fields: readonly (readonly [string, string])[];
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

  /** The entry up to its closing brace; undefined when it has none. */
  entry(withoutKey: boolean): BibtexEntry | undefined {
    let key = '';
    if (!withoutKey) {
      const found = this.#match(/[^,\s{}()"=#%]{0,200}/y);
      key = found ?? '';
      this.#match(/[^,}\n]{0,200}/y);
      this.#match(/\s*,?/y);
    }
    const fields: [string, string][] = [];
    while (true) {
      this.#match(/[\s,]*/y);
      const character = this.#text[this.at];
      if (character === undefined) return undefined;
      if (character === this.#close) {
        this.at++;
        return { key, fields };
      }
      const name = this.#match(/[^\s=,{}()"#]{1,200}/y);
      if (name === undefined) return undefined;
      this.#match(/\s*/y);
      if (this.#text[this.at] !== '=') return undefined;
      this.at++;
      const value = this.#value();
      if (value === undefined) return undefined;
      if (name.length <= maxNameLength) fields.push([name.toLowerCase(), value.replace(/\s+/g, ' ').trim()]);
    }
  }

  #value(): string | undefined {
    let value = '';
    while (true) {
      this.#match(/\s*/y);
      const part = this.#part();
      if (part === undefined) return undefined;
      if (value.length < maxExpandedLength) value += part;
      this.#match(/\s*/y);
      if (this.#text[this.at] !== '#') return value;
      this.at++;
    }
  }

  #part(): string | undefined {
    const character = this.#text[this.at];
    if (character === '{') return this.#braced('}');
    if (character === '"') return this.#braced('"');
    const word = this.#match(/[^\s,#{}()"=]{1,200}/y);
    return word === undefined ? undefined : (this.#strings.get(word.toLowerCase()) ?? word);
  }

  // Up to the brace or quote that closes, with as many braces closed as were opened between.
  #braced(close: string): string | undefined {
    const start = this.at + 1;
    let depth = 0;
    // As BibTeX has it: a backslash does not take a brace's meaning away.
    const signs = /[{}"]/g;
    signs.lastIndex = start;
    for (let sign = signs.exec(this.#text); sign !== null; sign = signs.exec(this.#text)) {
      const character = sign[0];
      if (depth === 0 && character === close) {
        this.at = sign.index + 1;
        return this.#text.slice(start, sign.index);
      } else if (character === '{') depth++;
      else if (character === '}' && --depth < 0) return undefined;
    }
    return undefined;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    this.at += found.length;
    return found;
  }
}
