/** Letters of scripts that read from right to left. */
export const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

const everyRightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g;
const mirrored: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '«': '»',
  '»': '«',
};
const presentationForm = /[\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A line in reading order: reversed where right-to-left letters prevail, else only in runs of them. */
export function logicalOrder(line: string): string {
  const text = presentationForm.test(line) ? line.normalize('NFKC') : line;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const turned = text.match(everyRightToLeft)?.length ?? 0;
  if (2 * turned < letters)
    return text.replace(/[\u0590-\u08ff]+(?:[\s\u0590-\u08ff]*[\u0590-\u08ff])?/g, reversed);
  return reversed(text).replace(
    /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{N}][^\s\u0590-\u08ff]*/gu,
    reversed,
  );
}

function reversed(text: string): string {
  // Marks stay behind the letter they belong to.
  const clusters = text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [];
  return clusters
    .reverse()
    .map((cluster) => mirrored[cluster] ?? cluster)
    .join('');
}
