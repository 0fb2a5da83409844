import { hasToken, scanWords, type TokenVisitor } from './analysis.ts';
import { CharacterClass, characterClass } from './character-class.ts';
import type { TermPlaces, WantedTerms } from './term-filter.ts';

const codes = (pattern: RegExp) =>
  Uint8Array.from({ length: 128 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
/** By code below 128: letters and digits. */
const asciiWord = codes(/[0-9A-Za-z]/);
/** The same with the signs that a letter may keep. */
const asciiToken = codes(/[0-9A-Za-z+#]/);

/** Whether a UTF-16 unit beyond ASCII may belong to a token; surrogates always may. */
const isWideToken = (code: number) =>
  (code >= 0xd800 && code < 0xe000) || characterClass(code) !== CharacterClass.separator;

function isToken(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 ? asciiToken[code] === 1 : isWideToken(code);
}

const wide = /[\u0080-\uffff]/g;

/** Beginnings and ends of the stretches with letters beyond ASCII, extended to whole tokens. */
function wideStretches(text: string): number[] {
  const stretches: number[] = [];
  let before = 0;
  wide.lastIndex = 0;
  for (let found = wide.exec(text); found !== null; found = wide.exec(text)) {
    const { index } = found;
    if (!isWideToken(text.charCodeAt(index))) continue;
    let from = index;
    while (from > before && isToken(text, from - 1)) from--;
    let to = index + 1;
    while (to < text.length && isToken(text, to)) to++;
    stretches.push(from, to);
    before = to;
    wide.lastIndex = to;
  }
  return stretches;
}

function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  // A letter beyond ASCII may become two, which would shift all offsets behind it.
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (run) => run.toLowerCase());
}

/**
 * An English text prepared for word search: its lower case is searched for the beginnings of words, and a
 * token is read only where one is found. Stretches with letters beyond ASCII are read as they are.
 */
export class FoldedText implements TermPlaces {
  readonly #text: string;
  readonly #lower: string;
  readonly #stretches: readonly number[];

  constructor(text: string) {
    this.#text = text;
    this.#lower = lowerCase(text);
    this.#stretches = wideStretches(text);
  }

  visit({ beginnings }: WantedTerms, visit: TokenVisitor): void {
    const [text, lower, stretches] = [this.#text, this.#lower, this.#stretches];
    const next = beginnings.map((one) => lower.indexOf(one));
    let position = -1;
    /** Where the last token that was read ends. */
    let passed = 0;
    let stretch = 0;
    const read = (from: number, to: number, max: number): boolean => {
      // Neighbours have nothing between them.
      if (hasToken(text.slice(passed, from))) position++;
      let [left, ended] = [max, false];
      passed = to;
      scanWords(text.slice(from, to), (word, _, start, end, written) => {
        position++;
        left--;
        if (left === 0) passed = from + end;
        ended = visit(word, position, from + start, from + end, written);
        return ended || left === 0;
      });
      return ended;
    };
    const goOn = (from: number) => {
      for (let i = 0; i < next.length; i++) {
        const at = next[i] as number;
        if (at >= 0 && at < from) next[i] = lower.indexOf(beginnings[i] as string, from);
      }
    };
    for (;;) {
      let at = -1;
      for (const place of next) if (place >= 0 && (at < 0 || place < at)) at = place;
      const from = stretches[stretch];
      const to = stretches[stretch + 1] as number;
      if (from !== undefined && (at < 0 || at >= from)) {
        if (read(from, to, Number.POSITIVE_INFINITY)) return;
        stretch += 2;
        goOn(to);
        continue;
      }
      if (at < 0) return;
      const isBeginning = at === 0 || asciiWord[text.charCodeAt(at - 1)] !== 1;
      if (isBeginning && read(at, from ?? text.length, 1)) return;
      goOn(isBeginning ? Math.max(passed, at + 1) : at + 1);
    }
  }
}
