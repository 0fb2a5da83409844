import { documentName } from '../../../readers/document/index.ts';
import { decodeText, isProse, keptLines, plainTitle, TextBlocks } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: overstriking uses the backspace.
const overstrike = /[^\n]\x08/gu;
// The first lines decide the role of a part.
const proseLines = 100;

/** Plain text: its first line is the title, blank lines separate paragraphs, overstrikes become plain. */
export const summariseText: SyncSummariser = (document, options) => {
  const decoded = decodeText(document.bytes, document.charset);
  const printed = decoded.includes('\b') ? decoded.replace(overstrike, '') : decoded;
  const text = printed.replace(/\r\n?|[\f\v]/g, '\n');
  const blocks = new TextBlocks(options);
  addPlainText(text, blocks);
  const read = blocks.read();
  const title = plainTitle(text, documentName(document), document.url);
  return {
    ...(title === undefined ? {} : { title }),
    fields: [],
    ...(read === undefined ? {} : { text: read }),
    references: [],
    links: [],
    index: true,
    follow: true,
    notes: [],
  };
};

/** Add the parts between blank lines: running text, or separate lines. */
export function addPlainText(text: string, blocks: TextBlocks): void {
  const parts = blocks.open ? text.split(/\n[^\S\n]*\n/) : [];
  for (const part of parts) {
    if (!blocks.open) return;
    blocks.add(keptLines(part), isProse(part.split('\n', proseLines)) ? 'paragraph' : 'pre');
  }
}
