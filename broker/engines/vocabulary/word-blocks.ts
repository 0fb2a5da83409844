import { ByteWriter, type Pacing } from '../../../kernel/index.ts';
import { readerOf } from '../codecs/bit-codec.ts';
import { readAfter, writeAfter, writeUtf8 } from '../codecs/front-coding.ts';
import { packed, unpacked } from '../codecs/packed-block.ts';
import type { WordCount } from '../model/search-engine.ts';

export type { WordCount };

export const wordsPerBlock = 1024;

// Of most words. A block may have longer ones.
const maxWordLength = 256;
const decoder = new TextDecoder();

/** Encode words (sorted by their bytes): (shared prefix, rest length, rest, count)... */
export function encodeWords(words: readonly WordCount[]): Uint8Array {
  const writer = new ByteWriter();
  let [last, next] = [Buffer.alloc(maxWordLength), Buffer.alloc(maxWordLength)];
  let [lastLength, length] = [0, 0];
  for (const [word, objects] of words) {
    if (3 * word.length > next.length) next = Buffer.alloc(3 * word.length);
    length = writeUtf8(next, 0, word);
    writeAfter(writer, last.subarray(0, lastLength), next.subarray(0, length));
    writer.varint(objects);
    [last, next, lastLength] = [next, last, length];
  }
  return packed(writer.take());
}

/** The words of a block. Throws ENGINE_DAMAGED. */
export function decodeWords(block: Uint8Array): WordCount[] {
  const reader = readerOf(unpacked(block));
  const words: WordCount[] = [];
  let last: Uint8Array = new Uint8Array();
  while (!reader.done) {
    last = readAfter(reader, last);
    words.push([decoder.decode(last), reader.varint()]);
  }
  return words;
}

// UTF-16 puts surrogates before U+E000 to U+FFFF, UTF-8 after them.
const utf8Rank = (unit: number) => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/** Bytewise order of UTF-8, like the keys. */
export const byUtf8 = ([a]: WordCount, [b]: WordCount): number => compareUtf8(a, b);

/** Bytewise order of two texts' UTF-8. */
export function compareUtf8(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    const difference = utf8Rank(a.charCodeAt(at)) - utf8Rank(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const beyondBasic = /[\ud800-\uffff]/;

/** Sort texts in the order of their UTF-8, in place. */
export function inUtf8Order(texts: string[]): string[] {
  // The order of UTF-16 is the same, and faster, unless there are surrogates or later characters.
  return texts.some((text) => beyondBasic.test(text)) ? texts.sort(compareUtf8) : texts.sort();
}

const sortedAtOnce = 2_000;

/** The same for many, with yields to the event loop: texts with a common beginning are sorted together. */
export async function* sortedByUtf8(texts: readonly string[], pacing: Pacing): AsyncGenerator<string[]> {
  if (texts.length <= sortedAtOnce) {
    yield inUtf8Order([...texts]);
    return;
  }
  const groups = new Map<string, string[]>();
  for (const text of texts) {
    const beginning = text.slice(0, 2);
    const group = groups.get(beginning);
    if (group === undefined) groups.set(beginning, [text]);
    else group.push(text);
    const pause = pacing.pause(64);
    if (pause !== undefined) await pause;
  }
  for (const beginning of inUtf8Order([...groups.keys()])) {
    const group = groups.get(beginning) as string[];
    yield inUtf8Order(group);
    await pacing.pause(64 * group.length);
  }
}
