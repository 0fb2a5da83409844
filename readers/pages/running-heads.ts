import type { PageLine } from './columns.ts';

// How many lines at either end of a page may belong to it, how many pages on either side are compared, and how far in
// points a head may wander.
const linesAtEnd = 3;
const pagesCompared = 4;
const wandering = 3;
const minRepeats = 2;

interface Edge {
  readonly line: PageLine;
  readonly text: string;
  /** A number at its beginning or end less its page's number: constant when it numbers the pages. */
  readonly counts: readonly number[];
}

/** Remove repeated lines at the top and bottom of nearby pages, if there are more than two pages. */
export function withoutRunningHeads(pages: readonly (readonly PageLine[])[]): (readonly PageLine[])[] {
  if (pages.length < 3) return [...pages];
  const tops = pages.map((lines, page) => edges(lines, page, true));
  const bottoms = pages.map((lines, page) => edges(lines, page, false));
  return pages.map((lines, page) => {
    const dropped = new Set([...repeated(tops, page), ...repeated(bottoms, page)]);
    return dropped.size === 0 ? lines : lines.filter((line) => !dropped.has(line));
  });
}

function edges(lines: readonly PageLine[], page: number, top: boolean): Edge[] {
  const upright = lines.filter((line) => line.direction === (lines[0]?.direction ?? 0));
  const chosen: PageLine[] = [];
  for (const line of upright) {
    const at = chosen.findIndex((other) => (top ? line.y > other.y : line.y < other.y));
    if (at >= 0) chosen.splice(at, 0, line);
    else if (chosen.length < linesAtEnd) chosen.push(line);
    if (chosen.length > linesAtEnd) chosen.pop();
  }
  return chosen.map((line) => ({ line, text: line.text, counts: counts(line.text, page) }));
}

function counts(text: string, page: number): number[] {
  const found = [
    /^\W*(\d{1,5})\b/,
    /\b(\d{1,5})\W*$/,
    /^(?:page|seite|p\.) ?(\d{1,5}) ?(?:of|von|\/) ?\d{1,5}$/i,
  ]
    .map((pattern) => pattern.exec(text)?.[1])
    .filter((digits) => digits !== undefined)
    .map((digits) => Number(digits) - page);
  const roman = /^\W*([ivxlc]{1,7})\W*$/i.exec(text)?.[1] ?? /\b([ivxl]{1,7})$/.exec(text)?.[1];
  if (roman !== undefined) found.push(romanNumber(roman.toLowerCase()) - page);
  return [...new Set(found)];
}

const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

function romanNumber(text: string): number {
  let value = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = romanDigits[text.charAt(at)] ?? 0;
    value += digit < (romanDigits[text.charAt(at + 1)] ?? 0) ? -digit : digit;
  }
  return value;
}

function repeated(all: readonly (readonly Edge[])[], page: number): PageLine[] {
  const near = all
    .slice(Math.max(0, page - pagesCompared), page)
    .concat(all.slice(page + 1, page + 1 + pagesCompared));
  return (all[page] ?? [])
    .filter((edge) => {
      const like = (other: Edge) =>
        Math.abs(other.line.y - edge.line.y) <= wandering &&
        (other.text === edge.text || other.counts.some((count) => edge.counts.includes(count)));
      let repeats = 0;
      for (const edges of near) if (edges.some(like)) repeats++;
      return repeats >= minRepeats;
    })
    .map(({ line }) => line);
}
