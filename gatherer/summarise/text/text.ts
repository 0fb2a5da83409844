import {
  beginning,
  decodeText,
  isProse,
  isRcsMark,
  keptLines,
  oneLine,
  readableBytes,
  TextBlocks,
} from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

const maxTitle = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: overstriking uses the backspace.
const overstrike = /[^\n]\x08/gu;
const titleSearched = 8 * 1024;
// The first lines decide the role of a part.
const proseLines = 100;
const blankLines = /\n[^\S\n]*\n/g;

/** Plain text: its first line is the title, blank lines separate paragraphs, overstrikes become plain. */
export const summariseText: SyncSummariser = (document, options) => {
  // UTF-16 has twice the bytes of UTF-8.
  const bytes = document.bytes.subarray(0, 2 * readableBytes(options));
  const decoded = decodeText(bytes, document.charset);
  const printed = decoded.includes('\b') ? decoded.replace(overstrike, '') : decoded;
  const text = printed.replace(/\r\n?|[\f\v]/g, '\n');
  const blocks = new TextBlocks(options);
  addPlainText(text, blocks);
  const read = blocks.read();
  const title = titleOf(text);
  return {
    ...(title === undefined ? {} : { title }),
    fields: [],
    ...(read === undefined
      ? {}
      : { text: { ...read, cut: read.cut || bytes.length < document.bytes.length } }),
    references: [],
    links: [],
    index: true,
    follow: true,
    notes: [],
  };
};

/** Add the parts between blank lines: running text, or separate lines. */
export function addPlainText(text: string, blocks: TextBlocks): void {
  let start = 0;
  for (const { index, 0: gap } of blocks.open ? text.matchAll(blankLines) : []) {
    addPart(text.slice(start, index), blocks);
    start = index + gap.length;
    if (!blocks.open) return;
  }
  addPart(text.slice(start), blocks);
}

function addPart(part: string, blocks: TextBlocks): void {
  blocks.add(keptLines(part), isProse(part.split('\n', proseLines)) ? 'paragraph' : 'pre');
}

// reStructuredText's markup: `.. directive::`, `.. _target:`, `:field: value`. It is no text for a reader.
const markupLine = /^(?:\.\. |\.\.$|:[\w-]+:\s)/;
/** A word with its role, such as :mod:`zipfile`; the word alone is for reading. */
const role = /:[\w:+-]+:`[!~]?([^`<]+?)(?:\s*<[^`>]*>)?`(?:\\ )?/g;
const underline = /^([=\-~^"'`*+#:._])\1{2,}$/;

// A rule below the names of columns does not make them a heading.
const columns = /\S(?:\s{3,}|\s*\|\s*)\S/;
const boxed = /^\s*\|.*\|\s*$/;

/** The first underlined heading near the beginning, else the first line with text. */
function titleOf(text: string): string | undefined {
  const lines = beginning(text, titleSearched).split('\n');
  const hasText = (line: string) =>
    /[\p{L}\p{N}]/u.test(line) && !markupLine.test(line) && !boxed.test(line) && !isRcsMark(line);
  const underlined = lines.find((line, at) => {
    const below = lines[at + 1]?.trim() ?? '';
    return (
      hasText(line) &&
      !columns.test(line.trim()) &&
      underline.test(below) &&
      below.length >= line.trim().length - 2
    );
  });
  const line = underlined ?? lines.find(hasText) ?? lines.find((any) => /[\p{L}\p{N}]/u.test(any));
  // Rules around a title are not part of it.
  return line === undefined
    ? undefined
    : oneLine(beginning(line.trim(), maxTitle))
        .replace(/^[\s=#*~_-]+|[\s=#*~_-]+$/g, '')
        .replace(role, '$1');
}
