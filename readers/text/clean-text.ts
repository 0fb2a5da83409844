import { graphemeStart } from '../../kernel/index.ts';

// Characters that stored text may not have: controls other than tab and line end, soft hyphens, byte order
// marks, bidirectional overrides (they reorder the visible text), noncharacters at the end of the plane.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose.
const unwanted = /[\0-\x08\x0e-\x1f\x7f-\x9f\xad\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/;
const everyUnwanted = new RegExp(unwanted.source, 'g');
const spacing = /\s{2,}|[^\S ]/;
const everySpacing = new RegExp(spacing.source, 'g');
const pieceLength = 1024 * 1024;
const everyBlank = /[^\S\n]{2,}|[^\S\n ]/g;

/** Text as one line: runs of white space of any kind become one space, control characters are removed. */
export function oneLine(text: string): string {
  const clean = unwanted.test(text) ? text.replace(everyUnwanted, '') : text;
  return (spacing.test(clean) ? clean.replace(everySpacing, ' ') : clean).trim();
}

/** Text with its line breaks: white space within a line becomes one space, empty lines are removed. */
export function keptLines(text: string): string {
  if (text.length <= pieceLength) return cleanLines(text);
  // Replacing at millions of lines at once takes more memory than a thread may have.
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start + pieceLength);
    const end = found < 0 ? text.length : found;
    pieces.push(cleanLines(text.slice(start, end)));
    start = end;
  }
  return pieces.filter((piece) => piece !== '').join('\n');
}

function cleanLines(text: string): string {
  const broken = text.replace(/\r\n?|[\f\v\x85\u2028\u2029]/g, '\n');
  const clean = unwanted.test(broken) ? broken.replace(everyUnwanted, '') : broken;
  const lines = clean.replace(everyBlank, ' ');
  return lines.replace(/ ?\n[\n ]*/g, '\n').trim();
}

/** The first `length` UTF-16 units of a text at most, never ending inside a character as readers see it. */
export function beginning(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, graphemeStart(text, length));
}

/** The lines of a text one at a time, without their ends; splitting would hold millions of them at once. */
export function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (;;) {
    const end = text.indexOf('\n', start);
    if (end < 0) break;
    yield text.slice(start, end);
    start = end + 1;
  }
  if (start < text.length) yield text.slice(start);
}
