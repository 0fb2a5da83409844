import { texWords } from '../tex/index.ts';
import { beginning, oneLine } from '../text/index.ts';
import { type BibliographicEntry, readableName } from './bibliographic-entry.ts';

const maxFields = 200;
const maxValue = 64 * 1024;
const maxStrings = 5000;
const maxString = 1000;
const maxNames = 500;

const months: Readonly<Record<string, string>> = {
  jan: 'January',
  feb: 'February',
  mar: 'March',
  apr: 'April',
  may: 'May',
  jun: 'June',
  jul: 'July',
  aug: 'August',
  sep: 'September',
  oct: 'October',
  nov: 'November',
  dec: 'December',
};

/**
 * The entries of a BibTeX file, one at a time: `@string` abbreviations are put in, values joined by `#`, TeX's accents
 * turned into characters, names turned to `Given Family`. What is not well-formed is passed over up to the next line
 * that begins with `@`; linear in the file's size.
 */
export function* bibtexEntries(text: string): Generator<BibliographicEntry> {
  const strings = new Map(Object.entries(months));
  const start = /@\s*([A-Za-z]{1,50})\s*([{(])/g;
  for (let match = start.exec(text); match !== null; match = start.exec(text)) {
    const kind = (match[1] ?? '').toLowerCase();
    if (kind === 'comment' || kind === 'preamble') continue;
    const scanner = new EntryScanner(text, start.lastIndex, match[2] === '(' ? ')' : '}');
    if (kind === 'string') {
      for (const [name, value] of scanner.fields(strings))
        if (strings.size < maxStrings) strings.set(name, beginning(value, maxString));
    } else {
      const key = scanner.key();
      const fields = [...scanner.fields(strings)].flatMap(([name, value]) => readable(name, value));
      if (fields.length > 0) yield { kind, key, fields };
    }
    start.lastIndex = scanner.at;
  }
}

function readable(name: string, value: string): (readonly [string, string])[] {
  if (name === 'author' || name === 'editor')
    return oneLine(value)
      .split(/ and /i, maxNames)
      .map((each) => [name, readableName(texWords(each))] as const);
  if (name === 'keywords' || name === 'keyword')
    return oneLine(value)
      .split(/ ?[,;] ?/, maxNames)
      .map((each) => ['keywords', oneLine(texWords(each))] as const);
  return [[name, oneLine(name === 'url' || name === 'doi' ? value : texWords(value))]];
}

class EntryScanner {
  at: number;
  readonly #text: string;
  readonly #close: string;

  constructor(text: string, at: number, close: string) {
    this.#text = text;
    this.at = at;
    this.#close = close;
  }

  key(): string {
    const from = this.at;
    this.#match(/\s*/y);
    const key = this.#match(/[^\s,{}()"=]{1,500}/y)?.[0] ?? '';
    this.#match(/\s*/y);
    if (this.#match(/,/y) !== null || /[})]/.test(this.#text.charAt(this.at))) return key;
    this.at = from;
    return '';
  }

  *fields(strings: ReadonlyMap<string, string>): Generator<readonly [string, string]> {
    for (let count = 0; count < maxFields; count++) {
      const name = this.#match(/[\s,]*([A-Za-z][\w:.+/-]{0,60})\s*=\s*/y)?.[1];
      if (name === undefined) break;
      const value = this.#value(strings);
      if (value === undefined) return;
      yield [name.toLowerCase(), value];
    }
    this.#match(this.#close === '}' ? /[\s,]*\}/y : /[\s,]*\)/y);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.at = pattern.lastIndex;
    return match;
  }

  /** Parts joined by `#`, or undefined when one of them does not end. */
  #value(strings: ReadonlyMap<string, string>): string | undefined {
    let value = '';
    for (;;) {
      const mark = this.#text.charAt(this.at);
      if (mark === '{' || mark === '"') {
        const part = this.#delimited(mark === '{' ? '}' : '"');
        if (part === undefined) return undefined;
        value += part;
      } else {
        const word = this.#match(/[^\s,{}()"#=]{1,200}/y)?.[0];
        if (word === undefined) return undefined;
        value += strings.get(word.toLowerCase()) ?? word;
      }
      if (value.length > maxValue || this.#match(/\s*#\s*/y) === null) return beginning(value, maxValue);
    }
  }

  /** What stands between delimiters, braces balanced. An entry that begins on a line of its own ends the search. */
  #delimited(close: string): string | undefined {
    const text = this.#text;
    const start = this.at + 1;
    let depth = 0;
    for (let at = start; at < text.length; at++) {
      const character = text.charAt(at);
      if (character === '\\') at++;
      else if (character === close && depth === 0) {
        this.at = at + 1;
        return text.slice(start, at);
      } else if (character === '{') depth++;
      else if (character === '}') depth--;
      else if (
        character === '\n' &&
        text.charAt(at + 1) === '@' &&
        /^@[A-Za-z]+\s*[{(]/.test(text.slice(at + 1, at + 60))
      ) {
        this.at = at + 1;
        return undefined;
      }
    }
    this.at = text.length;
    return undefined;
  }
}
