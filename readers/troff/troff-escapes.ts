import { troffCharacters } from './troff-characters.ts';

/** The values of `\*[name]` and `\n[name]` while a document is read. */
export interface TroffValues {
  readonly strings: ReadonlyMap<string, string>;
  readonly registers: ReadonlyMap<string, number>;
}

const maxDepth = 8;
// Max length of one line with strings within strings.
const maxRendered = 64 * 1024;

/**
 * The visible text of a troff line: names of characters become Unicode, strings and registers their values,
 * and escapes that only move, draw or change the font are removed (groff(7), "Escapes"). Linear in the line's
 * length.
 */
export function renderTroff(source: string, values: TroffValues): string {
  return source.includes('\\') ? new EscapeScanner(values).render(source, 0) : source;
}

class EscapeScanner {
  readonly #values: TroffValues;
  #length = 0;

  constructor(values: TroffValues) {
    this.#values = values;
  }

  render(source: string, depth: number): string {
    const pieces: string[] = [];
    let from = 0;
    for (;;) {
      const at = source.indexOf('\\', from);
      const end = at < 0 ? source.length : at;
      if (end > from) pieces.push(source.slice(from, end));
      this.#length += end - from;
      if (at < 0 || this.#length > maxRendered) return pieces.join('');
      from = this.#escape(source, at + 1, depth, pieces);
    }
  }

  /** Renders the escape whose letter is at `at`; returns the offset where the text continues. */
  #escape(source: string, at: number, depth: number, pieces: string[]): number {
    const letter = source.charAt(at);
    const literal = literals[letter];
    if (literal !== undefined) {
      pieces.push(literal);
      return at + 1;
    }
    switch (letter) {
      case '"':
      case '#':
      case '!':
        return source.length;
      case '(': {
        const end = afterCharacters(source, at + 1, 2);
        pieces.push(characterNamed(source.slice(at + 1, end)));
        return end;
      }
      case '[': {
        const close = closing(source, at + 1, ']');
        pieces.push(characterNamed(source.slice(at + 1, close)));
        return close + 1;
      }
      case '*': {
        const { name, end } = nameAt(source, at + 1);
        const value = this.#values.strings.get(name.split(' ', 1)[0] ?? '');
        if (value !== undefined && depth < maxDepth) pieces.push(this.render(value, depth + 1));
        return end;
      }
      case 'n': {
        const sign = /[+-]/.test(source.charAt(at + 1)) ? 1 : 0;
        const { name, end } = nameAt(source, at + 1 + sign);
        pieces.push(String(this.#values.registers.get(name) ?? 0));
        return end;
      }
      case 's':
        return afterSize(source, at + 1);
      case 'N':
      case 'C':
      case 'Z':
      case 'o': {
        const { text, end } = quotedAt(source, at + 1);
        if (letter === 'N') pieces.push(character(Number.parseInt(text, 10)));
        else if (letter === 'C') pieces.push(characterNamed(text));
        else if (depth < maxDepth) {
          const inside = this.render(text, depth + 1);
          pieces.push(letter === 'Z' ? inside : firstCharacter(inside));
        }
        return end;
      }
      case 'h': {
        const { text, end } = quotedAt(source, at + 1);
        // A move to the right is a gap between words only when it is at least about a space.
        if (/^\|?(?:[1-9]|0?\.[3-9])[\d.]*(?:[mncip]|$)/.test(text)) pieces.push(' ');
        return end;
      }
      case 'z': // Printed without moving: the next character overlaps it.
        return at + 1;
      default:
        if (quotedArguments.includes(letter) && letter !== '') return quotedAt(source, at + 1).end;
        if (namedArguments.includes(letter) && letter !== '') return nameAt(source, at + 1).end;
        // An escaped character without a meaning of its own is that character.
        pieces.push(letter);
        return at + 1;
    }
  }
}

const quotedArguments = 'ABbDlLRSvwxXH';
const namedArguments = 'fFgkmMVYO';

const literals: Readonly<Record<string, string>> = {
  e: '\\',
  E: '\\',
  '\\': '\\',
  '-': '-',
  '.': '.',
  "'": '´',
  '`': '`',
  _: '_',
  ' ': ' ',
  '~': ' ',
  '0': ' ',
  t: '\t',
  '|': '',
  '^': '',
  '&': '',
  ')': '',
  '%': '',
  ':': '',
  '/': '',
  ',': '',
  '{': '',
  '}': '',
  a: '',
  c: '',
  d: '',
  p: '',
  r: '',
  u: '',
  '?': '',
};

/** A name of one character, of two after `(`, or of any length between brackets, beginning at `at`. */
export function nameAt(source: string, at: number): { readonly name: string; readonly end: number } {
  const first = source.charAt(at);
  if (first !== '[') {
    const from = first === '(' ? at + 1 : at;
    const end = afterCharacters(source, from, first === '(' ? 2 : 1);
    return { name: source.slice(from, end), end };
  }
  const close = closing(source, at + 1, ']');
  return { name: source.slice(at + 1, close), end: close + 1 };
}

/** An argument between two equal delimiters; without a second one it ends with the line. */
function quotedAt(source: string, at: number): { readonly text: string; readonly end: number } {
  const from = afterCharacters(source, at, 1);
  if (from === at) return { text: '', end: at };
  const delimiter = source.slice(at, from);
  const close = closing(source, from, delimiter);
  return { text: source.slice(from, close), end: close + delimiter.length };
}

/** The offset that many characters from `at`, at most the end of the text; some are two units of UTF-16. */
export function afterCharacters(source: string, at: number, count: number): number {
  let end = at;
  for (let left = count; left > 0 && end < source.length; left--)
    end += (source.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return end;
}

const firstCharacter = (text: string) => text.slice(0, afterCharacters(text, 0, 1));

function closing(source: string, at: number, mark: string): number {
  const close = source.indexOf(mark, at);
  return close < 0 ? source.length : close;
}

const size = /[+-]?(?:\([+-]?.{2}|\[[^\]]*\]|'[^']*'|[1-3]\d|\d)/uy;

function afterSize(source: string, at: number): number {
  size.lastIndex = at;
  return size.test(source) ? size.lastIndex : at;
}

function characterNamed(name: string): string {
  const known = troffCharacters.get(name);
  if (known !== undefined) return known;
  const code = /^u([0-9A-F]{4,6})(?:_([0-9A-F]{4,6}))?$/.exec(name);
  if (code !== null)
    return (
      character(Number.parseInt(code[1] ?? '', 16)) + character(Number.parseInt(code[2] ?? '', 16))
    ).normalize();
  const number = /^char(\d{1,7})$/.exec(name)?.[1];
  if (number !== undefined) return character(Number(number));
  // A composite such as `e aa`: the base letter is enough.
  return name.includes(' ') ? firstCharacter(name) : '';
}

function character(code: number): string {
  return code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '';
}
