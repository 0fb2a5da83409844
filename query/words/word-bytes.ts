import { foldedAscii, maxWordLength, scanWords } from './analysis.ts';
import { CharacterClass, characterClass } from './character-class.ts';
import { hashed } from './word-hash.ts';

const [plus, number, blank] = [43, 35, 32];

/** By byte of UTF-8: whether it separates words by itself. */
const separates = foldedAscii.map((folded, byte) => (byte < 128 && folded === 0 ? 1 : 0));

/** Receives the normalised words of a text in order. */
export interface WordSink {
  /** Buffer for an ASCII word, from `wordAt` on; it has room for `maxWordLength` bytes there. */
  readonly word: Buffer;
  readonly wordAt: number;
  /** The initial value of a word's hash. */
  readonly hash: number;
  /** Whether the sink is full. */
  readonly full: boolean;
  /** The word that ends in `word` before `end`, and its hash. */
  take(end: number, hash: number): void;
  /** A word that is not ASCII, or may not be. */
  takeWord(word: string): void;
}

/**
 * The words of UTF-8 from byte `from` to before `to`, which cut no token: those of `scanWords`. No string is
 * made of ASCII words. Returns the offset reached before the sink was full.
 */
export function readWords(text: Buffer, from: number, to: number, sink: WordSink): number {
  const { word, wordAt, hash: firstHash } = sink;
  const longest = wordAt + maxWordLength;
  let at = from;
  while (at < to && !sink.full) {
    const start = at;
    let folded = foldedAscii[text[at] as number] as number;
    if (folded === 0) {
      if (separates[text[at] as number] === 1) {
        do at++;
        while (at < to && separates[text[at] as number] === 1);
        continue;
      }
      at = pastSeparator(text, at, to);
      if (at === start) at = readSpecial(text, start, to, sink);
      continue;
    }
    let end = wordAt;
    let hash = firstHash;
    do {
      word[end++] = folded;
      hash = hashed(hash, folded);
      at++;
      folded = at < to ? (foldedAscii[text[at] as number] as number) : 0;
    } while (folded !== 0 && end < longest);
    if (folded !== 0 || (at < to && isSpecial(text, start, at, to))) at = readSpecial(text, start, to, sink);
    else sink.take(end, hash);
  }
  return at;
}

/** Read from `start` to the next blank that is followed by ASCII. */
function readSpecial(text: Buffer, start: number, to: number, sink: WordSink): number {
  let end = start + 1;
  while (end < to && ((text[end] as number) > blank || (text[end + 1] ?? 0) > 127)) end++;
  scanWords(text.toString('utf8', start, end), (word) => {
    sink.takeWord(word);
    return false;
  });
  return end;
}

/** Whether the bytes after an ASCII word from `start` to before `at` may be part of it. */
function isSpecial(text: Buffer, start: number, at: number, to: number): boolean {
  const next = text[at] as number;
  if (next > 127) return pastSeparator(text, at, to) === at;
  return at - start === 1 && (next === plus || next === number);
}

/** The offset behind the separator at `at`; `at` where there is none, or more bytes are needed. */
function pastSeparator(text: Buffer, at: number, to: number): number {
  const first = text[at] as number;
  if (first < 128) return at + 1;
  // Characters of two and three bytes; those that RFC 3629 forbids separate words either way.
  const width = first < 0xe0 ? 2 : 3;
  if (first < 0xc2 || first > 0xef || at + width > to) return at;
  let codePoint = first & (width === 2 ? 31 : 15);
  for (let next = at + 1; next < at + width; next++) {
    const byte = text[next] as number;
    if (byte >> 6 !== 2) return at;
    codePoint = (codePoint << 6) | (byte & 63);
  }
  return characterClass(codePoint) === CharacterClass.separator ? at + width : at;
}
