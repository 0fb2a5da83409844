import { CharacterClass, characterClass } from './character-class.ts';
import { stretchesOf } from './word-variants.ts';

// Where one may be: found fast, then judged with its neighbours.
const trigger =
  /[.#&$@][A-Za-z_\u00c0-\uffff]|[A-Za-z][.][0-9]|::|->|\+\+|[A-Za-z][#+]|(?<![0-9A-Za-z_])(?:_|--)[A-Za-z_]/g;

const maxStretch = 256;
const maxWord = 64;

const signs: ReadonlySet<number> = new Set(Array.from('.:->#&+$@_/', (sign) => sign.charCodeAt(0)));

function belongs(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (signs.has(code)) return true;
  if (code < 128) return (code | 32) >= 97 ? (code | 32) <= 122 : code >= 48 && code <= 57;
  const kind = characterClass(code);
  return kind === CharacterClass.word || kind === CharacterClass.joiner;
}

const letter = '[\\p{L}\\p{N}\\p{M}_]';
const joined = `(?:[.#&]|::|->|\\+\\+)${letter}+`;
const option = `(?<!${letter}|-)--\\p{L}${letter}*(?:-${letter}+)*`;
const first = `(?:(?<!${letter}|[.)\\]])[.$@#]|(?<!${letter}))[\\p{L}_]${letter}*`;
const last = `(?:\\+{1,2}|#)(?!${letter})`;
// Of a chain the first two parts: a match has the others behind them.
const name = new RegExp(`(${option}|${first}(?:${joined}|${last})?)(?:${joined})*`, 'gu');
const hasSign = /^_|[^\p{L}\p{N}\p{M}_]/u;
// Addresses of the Web and of mail have signs that are no part of a name.
const address = /:\/\/|[\p{L}\p{N}]@[\p{L}\p{N}]/u;

/**
 * The names in a text that have signs: `.NET`, `C++`, `F#`, `node.js`, `std::vector`, `AT&T`, `$PATH`, `@media`,
 * `--force`, `__init__`, in lower case. Of `os.path.join` it is `os.path`; addresses have none. Takes time linear in the text.
 */
export function* signedWords(text: string): Generator<string> {
  for (const [start, end] of stretchesOf(text, trigger, belongs)) {
    // What is before it may forbid a sign.
    const from = Math.max(0, start - 1);
    const stretch = end - from > maxStretch ? '' : text.slice(from, end);
    if (address.test(stretch)) continue;
    for (const [, word = ''] of stretch.matchAll(name))
      if (hasSign.test(word) && word.length <= maxWord) yield word.toLowerCase();
  }
}
