import { documentName } from '../../../readers/document/index.ts';
import {
  decodeText,
  isProse,
  keptLines,
  plainTitle,
  printedText,
  readableBytes,
  TextBlocks,
} from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

// The first lines decide the role of a part.
const proseLines = 100;
const blankLines = /\n[^\S\n]*\n/g;

/** Plain text: its first line is the title, blank lines separate paragraphs, overstrikes become plain. */
export const summariseText: SyncSummariser = (document, options) => {
  // UTF-16 has twice the bytes of UTF-8.
  const bytes = document.bytes.subarray(0, 2 * readableBytes(options));
  const decoded = decodeText(bytes, document.charset);
  const text = printedText(decoded).replace(/\r\n?|[\f\v]/g, '\n');
  const blocks = new TextBlocks(options);
  addPlainText(text, blocks);
  const read = blocks.read();
  const title = plainTitle(text, documentName(document), document.url);
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
function addPlainText(text: string, blocks: TextBlocks): void {
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
