import type { PageLine } from './line-assembler.ts';

const maxWords = 200_000;

/**
 * Words with a hyphen inside a line, and words without: of a word broken at its hyphen they tell whether the hyphen
 * belongs to it. Made once for a document; the answer is yes only when the document itself writes it so.
 */
export function hyphenKeeper(
  pages: readonly (readonly PageLine[])[],
): (before: string, after: string) => boolean {
  const compounds = new Set<string>();
  for (const lines of pages)
    for (const { text } of lines)
      if (text.includes('-') && compounds.size < maxWords)
        for (const [word] of text.matchAll(/\p{L}+(?:-\p{L}+)+/gu)) compounds.add(word.toLowerCase());
  return (before, after) => {
    const start = /\p{L}+(?:-\p{L}+)*-$/u.exec(before)?.[0] ?? before;
    const end = /^\p{L}+(?:-\p{L}+)*/u.exec(after)?.[0] ?? '';
    return compounds.has((start + end).toLowerCase());
  };
}
