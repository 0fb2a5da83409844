import type { TextBlock } from './page-tree.ts';

/** Counts from one pass over a block's characters. */
export interface Characters {
  readonly commas: number;
  /** Ends of sentences. */
  readonly stops: number;
  readonly endsSentence: boolean;
}

const longest = 4000;

/** Count the punctuation of a block; of a long block only the beginning. */
export function charactersOf({ text }: TextBlock): Characters {
  let commas = 0;
  let stops = 0;
  const end = Math.min(text.length, longest);
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 44 || code === 0x3001 || code === 0xff0c || code === 0x60c) commas++;
    else if (code === 0x3002 || code === 0xff01 || code === 0xff1f) stops++;
    else if (
      (code === 46 || code === 33 || code === 63) &&
      (at + 1 >= end || text.charCodeAt(at + 1) <= 32 || isClosing(text.charCodeAt(at + 1)))
    )
      stops++;
  }
  return { commas, stops, endsSentence: /[.!?…。！？:;]["'”’»)\]]*$/.test(text.slice(-6)) };
}

function isClosing(code: number): boolean {
  return code === 34 || code === 39 || code === 41 || code === 0x201d || code === 0x2019 || code === 0xbb;
}
