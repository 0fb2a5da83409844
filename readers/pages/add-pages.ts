import type { StructuredText } from '../text/index.ts';
import type { PageLine } from './columns.ts';
import { bodySize, paragraphsOf } from './paragraphs.ts';
import { withoutRunningHeads } from './running-heads.ts';

const maxWords = 200_000;

/** Whether a broken word keeps its hyphen: only when the document writes it so within a line. */
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

const titleSearched = 40;

const abstractWord = /^(?:abstract|summary|zusammenfassung|résumé|resumen)\W{0,3}$/i;

/** Add pages without their running heads; returns the text below a line `Abstract`, or undefined. */
export function addPages(text: StructuredText, pages: readonly (readonly PageLine[])[]): string | undefined {
  let abstract: string | undefined;
  let announced = false;
  const body = bodySize(pages);
  const kept = withoutRunningHeads(pages);
  for (const paragraph of paragraphsOf(kept, body, hyphenKeeper(kept))) {
    if (paragraph.heading) text.heading(paragraph.text);
    else text.paragraph(paragraph.text);
    if (announced && abstract === undefined && !paragraph.heading) abstract = paragraph.text;
    announced ||= abstractWord.test(paragraph.text);
  }
  return abstract;
}

/** The largest lines near the beginning, usually the title; undefined if there are none. */
export function titleOfPages(pages: readonly (readonly PageLine[])[]): string | undefined {
  const lines = (pages.find((page) => page.length > 0) ?? []).slice(0, titleSearched);
  const worded = lines.filter(({ text }) => /\p{L}{2}/u.test(text));
  const size = Math.max(...worded.map((line) => line.size));
  const body = bodySize(pages);
  if (worded.length === 0 || size < 1.1 * body) return worded[0]?.text;
  const start = worded.findIndex((line) => line.size > 0.95 * size);
  const title: string[] = [];
  for (const line of worded.slice(start, start + 4)) {
    if (Math.abs(line.size - size) > 0.05 * size) break;
    title.push(line.text);
  }
  return title.join(' ');
}
