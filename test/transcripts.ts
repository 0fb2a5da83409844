// What a page shows below a command, against what the command printed.

/** A text in which numbers, times, sizes and ids do not count. */
export function normalised(text: string): string[] {
  return text
    .split('\n')
    .map((line) =>
      line
        .replaceAll('npx garner', 'garner')
        .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
        .replaceAll(/(?<![\w-])[\w-]{22}(?:[\w-]{21})?(?:\.[\w-]{43})?(?![\w-])/g, 'ID')
        .replaceAll(/\d[\d.,]*/g, '0')
        .replaceAll(/\b0 (?:B|[kM]B)\b/g, '0 B')
        .replaceAll(/\b0 (?:ms|s)\b/g, '0 s')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '');
}

/** Whether the lines shown are those printed; a line of three dots matches any number of lines. */
export function agrees(shown: readonly string[], printed: readonly string[]): boolean {
  const [first, ...rest] = shown;
  if (first === undefined) return printed.length === 0;
  if (first === '...')
    return [...Array(printed.length + 1).keys()].some((at) => agrees(rest, printed.slice(at)));
  return first === printed[0] && agrees(rest, printed.slice(1));
}
