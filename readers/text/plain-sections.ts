import { decodeText } from '../charsets/index.ts';
import type { RecognisedDocument } from '../document/index.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: overtyping uses the backspace, terminals the escape.
const typed = /[^\n]\x08|\x1b\[[\d;?]{0,40}[@-~]/gu;

/** A text as it looks when it is printed: letters typed over are undone, colours of terminals left out. */
export function printedText(text: string): string {
  return text.includes('\b') || text.includes('\x1b[') ? text.replace(typed, '') : text;
}

/** A longer file is no text that somebody wrote. */
const maxPlainBytes = 8 * 1024 * 1024;

/** A document's bytes as lines of plain text, letters typed over undone; form feeds stay. */
export function plainLines(document: RecognisedDocument): string[] {
  const decoded = decodeText(document.bytes.subarray(0, maxPlainBytes), document.charset);
  return printedText(decoded).split(/\r\n?|\n/);
}

const underline = /^\s{0,20}([=\-~^"'`*+#:._])\1{2,199}\s*$/;
const says = /[\p{L}\p{N}]/u;

/** Whether `line` is a heading because `below` underlines it. */
export function underlined(line: string, below: string | undefined): boolean {
  if (below === undefined || !underline.test(below) || !says.test(line) || line.length > 200) return false;
  const length = below.trim().length;
  return length >= Math.min(line.trim().length, 8) - 2 && length <= line.trim().length + 60;
}

/** Whether a line is drawn: a rule, the border of a box, stars. */
export function isRule(line: string): boolean {
  return line.length <= 300 && /^\s*[-=_*#~+.:/\\|]{3,}\s*$/.test(line);
}

/** Whether a line is only an expanded keyword of RCS, CVS or Subversion, such as `$Id: a.txt,v 1.2 ... $`. */
function isRcsMark(line: string): boolean {
  return /^\W{0,20}\$(?:Id|Header|Revision|Rev|Date|Author|RCSfile|Source|Log|Name|Locker|State)(?::[^$\n]{0,400})?\$\W{0,20}$/.test(
    line,
  );
}

const emacsMode = /-\*-[^\n]{0,200}?-\*-/g;
const vimMode =
  /(?:^|\s)(?:vim?|Vim|ex)(?:[<=>]?\d{1,3})?:\s*(?:set?\s[^\n:]{0,200}:?|[\w ]{1,40}=[^\n]{0,200})/g;

/** A line without what it says to an editor, such as `-*- text -*-` or `vim: set tw=78:`. */
export function withoutEditorMarks(line: string): string {
  if (!line.includes('-*-') && !/\b(?:vim?|ex)[<=>\d]*:/i.test(line)) return line;
  return line.replace(emacsMode, ' ').replace(vimMode, ' ').trimEnd();
}

// A first line for the system, an encoding, settings of Kate, a warning of a generator.
const forPrograms =
  /^(?:#!\s?\/|\W{0,5}(?:en)?coding[:=] ?[\w.-]{2,30}\W{0,5}$|\W{0,5}kate: .{0,200};|\W{0,9}do not edit\b)/i;

/** Whether a line is for an editor or a revision control system alone. */
export function isToolLine(line: string): boolean {
  if (isRcsMark(line)) return true;
  if (forPrograms.test(line)) return true;
  const bare = withoutEditorMarks(line);
  return bare !== line && !says.test(bare);
}

/** Whether a separate line is a heading: all capitals, or a section's number and a few words. */
export function isHeadingLine(line: string): boolean {
  const text = line.trim();
  if (text.length < 3 || text.length > 80) return false;
  if (/^[\p{Lu}\p{N}][\p{Lu}\p{N}\s&,:'"/().-]*$/u.test(text)) return /\p{Lu}{3}/u.test(text);
  return /^(?:\d{1,3}(?:\.\d{1,3}){0,4}[.)]?|[A-Z]\.|[IVX]{1,5}\.)\s+\p{Lu}[^.;]*$/u.test(text);
}

/** The heading over the name and purpose of a program, as manual pages begin; the line behind it is the title. */
export const isNameHeading = (line: string) => /^[\s=#*]*name[\s=#*:]*$/i.test(line);

/** Consecutive lines without a blank line between, and the number of the first. */
export interface PlainBlock {
  readonly lines: readonly string[];
  readonly at: number;
}

/** Divide lines into blocks at blank lines. */
export function* blocksOf(lines: readonly string[], from = 0): Generator<PlainBlock> {
  let start = -1;
  for (let at = from; at <= lines.length; at++) {
    const blank = at === lines.length || (lines[at] ?? '').trim() === '';
    if (blank && start >= 0) {
      yield { lines: lines.slice(start, at), at: start };
      start = -1;
    } else if (!blank && start < 0) start = at;
  }
}

/** Whether lines are running text rather than a drawing, a listing or a table. */
export function isProse(lines: readonly string[]): boolean {
  let odd = 0;
  for (const line of lines)
    if (
      /\S\s{3,}\S|[|+]\s*$|^\s*[|+>]|-{4}|={4}|[{};]\s*$|^\s*\d{1,2}(?:\.\d{1,2})*\.?\s+\S/.test(
        line.slice(0, 400),
      )
    )
      odd++;
  return odd * 4 < lines.length || odd === 0;
}
