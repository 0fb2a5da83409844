import { ByteView } from '../../bytes/index.ts';
import {
  decodeAs,
  isPageField,
  pageMark,
  RunningText,
  type StructuredText,
  type TextSink,
} from '../../text/index.ts';
import type { CompoundFile } from './compound-file.ts';
import { deletedRuns, withoutRuns } from './deleted-runs.ts';

const maxPieces = 500_000;

/** Where the lengths of the parts of the text are in the header, in the order of the text (MS-DOC 2.5.4). */
const partLengths = {
  main: 0x4c,
  footnotes: 0x50,
  headers: 0x54,
  macros: 0x58,
  comments: 0x5c,
  endnotes: 0x60,
  boxes: 0x64,
};

/**
 * Read a document's text (MS-DOC), and after it notes, words in boxes, comments, headers and footers; throws RangeError
 * when the file is older or damaged.
 */
export function readWordBinary(file: CompoundFile, text: StructuredText): void {
  const bytes = file.stream('WordDocument');
  if (bytes === undefined) throw new RangeError('no text');
  const view = new ByteView(bytes, true);
  const flags = view.u16(10);
  if ((flags & 0x0100) !== 0) {
    text.notes.push('The document is encrypted and opens only with a password.');
    return;
  }
  if (view.u16(0) !== 0xa5ec || view.u16(2) < 0xc1) throw new RangeError('an older format');
  const table = file.stream((flags & 0x0200) !== 0 ? '1Table' : '0Table');
  if (table === undefined) throw new RangeError('no table of pieces');
  const lengths = Object.values(partLengths).map((at) => view.u32(at));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  // More letters than bytes only come from overlapping pieces.
  const all = piecesText(view, new ByteView(table, true), Math.min(total, bytes.length));
  let end = 0;
  const [main = '', footnotes = '', headers = '', , comments = '', endnotes = '', boxes = ''] = lengths.map(
    (length) => {
      const start = end;
      end += length;
      return all.slice(start, end);
    },
  );
  addText(text, text, main);
  for (const part of [footnotes, endnotes, boxes, comments]) addText(text, text, part);
  const running = new RunningText();
  addText(text, running, headers);
  running.addTo(text);
}

/** The text of the pieces, with a zero for each letter that is marked as deleted. */
function piecesText(view: ByteView, table: ByteView, wanted: number): string {
  const deleted = deletedRuns(view, table);
  const start = view.u32(0x1a2);
  const end = start + view.u32(0x1a6);
  let at = start;
  while (at < end && table.u8(at) === 1) at += 3 + table.u16(at + 1);
  if (table.u8(at) !== 2) throw new RangeError('no pieces');
  const count = Math.min(Math.floor((table.u32(at + 1) - 4) / 12), maxPieces);
  const positions = at + 5;
  const descriptors = positions + 4 * (count + 1);
  let result = '';
  for (let piece = 0; piece < count && result.length < wanted; piece++) {
    const length = Math.min(
      table.u32(positions + 4 * (piece + 1)) - table.u32(positions + 4 * piece),
      wanted - result.length,
    );
    const place = table.u32(descriptors + 8 * piece + 2);
    const offset = place & 0x3fffffff;
    // The second highest bit means that each character is one byte, at half the offset.
    const narrow = (place & 0x40000000) !== 0;
    const from = narrow ? offset / 2 : offset;
    const shown = narrow
      ? decodeAs(view.slice(from, from + length), 'windows-1252')
      : view.utf16(from, from + 2 * length);
    result += withoutRuns(shown, from, narrow ? 1 : 2, deleted);
  }
  return result;
}

/** Of a field only the result is text; a link's address is in the instruction. */
function addText(text: StructuredText, sink: TextSink, source: string): void {
  const open: { instruction: boolean; page?: boolean }[] = [];
  let instructions = 0;
  let instruction = '';
  let paragraph = '';
  let row: string[] = [];
  const end = () => {
    if (row.length > 0) row.push(paragraph);
    else sink.paragraph(paragraph);
    paragraph = '';
  };
  for (const sign of source) {
    const field = open.at(-1);
    if (sign === '\x13') {
      open.push({ instruction: true });
      instructions++;
      instruction = '';
    } else if (sign === '\x14') {
      const link = /HYPERLINK\s+"([^"\\]+)"/.exec(instruction)?.[1];
      if (link !== undefined) text.references.add(link, true);
      if (field?.instruction) {
        field.instruction = false;
        // The result of a page number is left out with the instruction.
        field.page = isPageField(instruction);
        if (field.page) paragraph += pageMark;
        else instructions--;
      }
    } else if (sign === '\x15') {
      const ended = open.pop();
      if (ended?.instruction || ended?.page) instructions--;
    } else if (instructions > 0) {
      if (instruction.length < 4096) instruction += sign;
    } else if (sign === '\x07') {
      // Cells end with this sign, rows with two.
      if (paragraph === '' && row.length > 0) {
        sink.row(row.join('\t'));
        row = [];
      } else {
        row.push(paragraph);
        paragraph = '';
      }
    } else if (sign === '\r' || sign === '\f') {
      if (row.length > 0) paragraph += ' ';
      else end();
    } else if (sign === '\v' || sign === '\t') paragraph += ' ';
    else if (sign === '\x1e') paragraph += '-';
    else if (sign >= ' ') paragraph += sign;
  }
  if (row.length > 0) sink.row(row.join('\t'));
  end();
}
