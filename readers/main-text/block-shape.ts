import type { TextBlock } from './page-tree.ts';

/** Counts from one pass over a block's characters. */
export interface Characters {
  readonly words: number;
  readonly letters: number;
  readonly capitals: number;
  readonly digits: number;
  readonly commas: number;
  /** Ends of sentences. */
  readonly stops: number;
  readonly startsCapital: boolean;
  readonly endsSentence: boolean;
}

const longest = 4000;

/** Count the characters of a block by kind; of a long block only the beginning. */
export function charactersOf({ text }: TextBlock): Characters {
  let words = 0;
  let letters = 0;
  let capitals = 0;
  let digits = 0;
  let commas = 0;
  let stops = 0;
  let inWord = false;
  const end = Math.min(text.length, longest);
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    const letter = (code >= 97 && code <= 122) || (code >= 0xc0 && code < 0x2000) || code >= 0x3040;
    const capital = code >= 65 && code <= 90;
    const digit = code >= 48 && code <= 57;
    if (letter || capital) letters++;
    if (capital) capitals++;
    if (digit) digits++;
    if (code === 44 || code === 0x3001 || code === 0xff0c || code === 0x60c) commas++;
    else if (code === 0x3002 || code === 0xff01 || code === 0xff1f) stops++;
    else if (
      (code === 46 || code === 33 || code === 63) &&
      (at + 1 >= end || text.charCodeAt(at + 1) <= 32 || isClosing(text.charCodeAt(at + 1)))
    )
      stops++;
    const word = letter || capital || digit;
    // A letter of a script without spaces is half a word.
    if (word && !inWord) words++;
    else if (word && code >= 0x3040 && (at & 1) === 0) words++;
    inWord = word;
  }
  return {
    words,
    letters,
    capitals,
    digits,
    commas,
    stops,
    startsCapital: /^["'“‘«([¿¡—-]*\s*\p{Lu}/u.test(text.slice(0, 12)),
    endsSentence: /[.!?…。！？:;]["'”’»)\]]*$/.test(text.slice(-6)),
  };
}

function isClosing(code: number): boolean {
  return code === 34 || code === 39 || code === 41 || code === 0x201d || code === 0x2019 || code === 0xbb;
}
