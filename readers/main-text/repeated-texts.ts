import type { TextBlock } from './page-tree.ts';

/** A block's text stands in the page before it, after it, or both; bits. */
export const Repeated = { earlier: 1, later: 2 } as const;

/** For each block whether the same text stands elsewhere in the page: bits of `Repeated`. */
export function repeatedTexts(blocks: readonly TextBlock[]): Uint8Array {
  const repeated = new Uint8Array(blocks.length);
  const last = new Map<string, number>();
  blocks.forEach(({ text }, at) => {
    const before = last.get(text);
    if (before !== undefined) {
      repeated[at] = Repeated.earlier;
      repeated[before] = (repeated[before] ?? 0) | Repeated.later;
    }
    last.set(text, at);
  });
  return repeated;
}
