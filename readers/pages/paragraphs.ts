import type { PageLine } from './columns.ts';

/** A paragraph or heading made of lines. */
export interface PageParagraph {
  readonly text: string;
  readonly heading: boolean;
}

// In sizes of a letter.
const furtherDown = 1.75;
const indent = 0.8;
const shortBy = 5;
const maxHeadingLines = 4;
const maxHeadingLength = 200;
const largerThanBody = 1.13;
const maxParagraph = 20_000;

const asianEnd = /[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]$/;
const asianStart = /^[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]/;
const hyphenEnd = /\p{L}[-\u00ad\u2010]$/u;
const listItem = /^(?:[•◦▪–—*·-]|\(?(?:\d{1,3}|[a-z])[.)])\s/;

/** The size of most letters of a document: larger text is a heading. */
export function bodySize(pages: readonly (readonly PageLine[])[]): number {
  const letters = new Map<number, number>();
  for (const lines of pages)
    for (const { size, text } of lines) {
      const rounded = Math.round(size * 2) / 2;
      letters.set(rounded, (letters.get(rounded) ?? 0) + text.length);
    }
  let body = 0;
  let max = 0;
  for (const [size, count] of letters)
    if (count > max) {
      max = count;
      body = size;
    }
  return body;
}

/**
 * Lines of pages as paragraphs: close lines of one size belong together, across pages too when a sentence
 * continues. A hyphen at a line's end is removed when a lower-case letter follows, unless `keepsHyphen` knows
 * the word with it. Lines larger than the body, and separate bold lines, are headings.
 */
export function* paragraphsOf(
  pages: Iterable<readonly PageLine[]>,
  body: number,
  keepsHyphen: (before: string, after: string) => boolean,
): Generator<PageParagraph> {
  let open: PageLine[] = [];
  for (const lines of pages) {
    let first = true;
    let right = 0;
    for (const line of lines) right = Math.max(right, line.end);
    for (const line of lines) {
      const last = open.at(-1);
      if (last !== undefined && !(first ? goesOn(last, line) : belongs(open, last, line, right))) {
        yield joined(open, body, keepsHyphen);
        open = [];
      }
      open.push(line);
      first = false;
    }
  }
  if (open.length > 0) yield joined(open, body, keepsHyphen);
}

/** Whether a sentence continues in a line elsewhere: on the next page or in the next column. */
function goesOn(last: PageLine, line: PageLine): boolean {
  return (
    Math.abs(last.size - line.size) < 0.12 * last.size &&
    last.bold === line.bold &&
    (hyphenEnd.test(last.text) || /[\p{Ll},]$/u.test(last.text)) &&
    /^\p{Ll}/u.test(line.text)
  );
}

function belongs(open: readonly PageLine[], last: PageLine, line: PageLine, right: number): boolean {
  const em = Math.max(last.size, line.size);
  if (line.direction !== last.direction || open.length * 80 > maxParagraph) return false;
  const down = last.y - line.y;
  if (down <= 0) return goesOn(last, line);
  if (Math.abs(last.size - line.size) > 0.12 * em && !(hyphenEnd.test(last.text) && down < 2 * em))
    return false;
  const isAlone = open.length === 1 || last.end < right - shortBy * em || last.size > line.size * 1.05;
  if (last.bold !== line.bold && isAlone) return false;
  if (down > furtherDown * em) return false;
  const before = open.length > 1 ? open.at(-2) : undefined;
  if (before !== undefined && down > 1.3 * (before.y - last.y) && before.y > last.y) return false;
  if (listItem.test(line.text) && !/\p{Ll}$/u.test(last.text)) return false;
  // A paragraph may begin with an indent or end with a short line.
  if (line.x > last.x + indent * em && open.length > 1) return false;
  return !(line.x < last.x - indent * em && open.length > 1 && /[.:!?]$/.test(last.text));
}

function joined(
  lines: readonly PageLine[],
  body: number,
  keepsHyphen: (before: string, after: string) => boolean,
): PageParagraph {
  let text = '';
  let last = '';
  for (const line of lines) {
    const end = last.slice(-2);
    if (text === '') text = line.text;
    else if (hyphenEnd.test(end) && /^\p{Ll}/u.test(line.text)) {
      const keeps = end.endsWith('-') && keepsHyphen(lastWord(last), line.text);
      text = (keeps ? text : text.slice(0, -1)) + line.text;
    } else text += (asianEnd.test(end) && asianStart.test(line.text) ? '' : ' ') + line.text;
    last = line.text;
  }
  // Rows of dots are leaders; characters without meaning cannot be searched for.
  if (text.includes('. .') || text.includes('....')) text = text.replace(/(?:\s?[.·]){4,}/g, ' ');
  return { text: text.replaceAll('\ufffd', ''), heading: isHeading(lines, text, body) };
}

/** The last word with its hyphen. */
function lastWord(text: string): string {
  return text.slice(text.lastIndexOf(' ') + 1);
}

function isHeading(lines: readonly PageLine[], text: string, body: number): boolean {
  if (lines.length > maxHeadingLines || text.length > maxHeadingLength || body === 0) return false;
  if (!/\p{L}{2}/u.test(text)) return false;
  const size = Math.max(...lines.map((line) => line.size));
  if (size > largerThanBody * body) return true;
  const bold = lines.every((line) => line.bold) && size > 0.95 * body;
  return bold && lines.length <= 2 && text.length < 120 && !/[.,;:]$/.test(text);
}
