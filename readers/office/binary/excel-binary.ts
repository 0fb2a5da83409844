import type { ByteView } from '../../bytes/index.ts';
import type { Field } from '../../document/index.ts';
import { fact, type StructuredText } from '../../text/index.ts';
import type { CompoundFile } from './compound-file.ts';
import { ExcelStrings, excelRecords } from './excel-records.ts';

const maxStrings = 500_000;
const maxRowLength = 1024 * 1024;

/** Read a workbook's cells (MS-XLS) and return the counts; throws RangeError when there is none. */
export function readExcelBinary(file: CompoundFile, text: StructuredText): readonly Field[] {
  const bytes = file.stream('Workbook') ?? file.stream('Book');
  if (bytes === undefined) throw new RangeError('no workbook');
  const reader = new WorkbookReader(text);
  for (const { type, parts } of excelRecords(bytes)) {
    const [view] = parts;
    if (view === undefined) continue;
    try {
      if (!reader.record(type, view, parts)) break;
    } catch (error) {
      // A record cut short loses its cell, not the others.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  reader.endRow();
  return [fact('Sheets', reader.sheets.length), fact('Rows', reader.rows), fact('Cells', reader.cells)];
}

class WorkbookReader {
  readonly #text: StructuredText;
  readonly sheets: string[] = [];
  #strings: string[] = [];
  #sheet = -1;
  #row = -1;
  #cells: string[] = [];
  #rowLength = 0;
  rows = 0;
  cells = 0;

  constructor(text: StructuredText) {
    this.#text = text;
  }

  /** Take one record; false when no later record can be read. */
  record(type: number, view: ByteView, parts: readonly ByteView[]): boolean {
    switch (type) {
      case 0x2f:
        this.#text.notes.push('The document is encrypted and opens only with a password.');
        return false;
      case 0x809:
        if (view.u16(2) !== 5) this.#beginSheet();
        break;
      case 0x85: {
        const wide = (view.u8(7) & 1) !== 0;
        const length = view.u8(6);
        this.sheets.push(wide ? view.utf16(8, 8 + 2 * length) : view.latin1(8, 8 + length));
        break;
      }
      case 0xfc:
        this.#readStrings(view.u32(4), parts);
        break;
      case 0xfd:
        this.#cell(view, this.#strings[view.u32(6)] ?? '');
        break;
      case 0x204:
        this.#cell(
          view,
          (view.u8(8) & 1) !== 0 ? view.utf16(9, 9 + 2 * view.u16(6)) : view.latin1(9, 9 + view.u16(6)),
        );
        break;
      case 0x203:
        this.#cell(view, shown(view.f64(6)));
        break;
      case 0x27e:
        this.#cell(view, shown(packed(view, 6)));
        break;
      case 0xbd:
        for (let at = 4; at + 6 <= view.length - 2; at += 6) this.#cell(view, shown(packed(view, at + 2)));
        break;
      case 0x06:
        // A result of text follows in a record of its own.
        if (view.u16(12) !== 0xffff) this.#cell(view, shown(view.f64(6)));
        break;
      case 0x207:
        this.#add(new ExcelStrings(parts, 0).next());
        break;
    }
    return true;
  }

  endRow(): void {
    if (this.#cells.length > 0) this.rows++;
    this.#text.row(this.#cells.join('\t'));
    this.#cells = [];
    this.#rowLength = 0;
  }

  #beginSheet(): void {
    this.endRow();
    this.#row = -1;
    const name = this.sheets[++this.#sheet];
    if (name !== undefined) this.#text.heading(name);
  }

  #readStrings(count: number, parts: readonly ByteView[]): void {
    const strings = new ExcelStrings(parts, 8);
    this.#strings = [];
    try {
      for (let at = 0; at < Math.min(count, maxStrings); at++) this.#strings.push(strings.next());
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }

  #cell(view: ByteView, value: string): void {
    const row = view.u16(0);
    if (row !== this.#row) this.endRow();
    this.#row = row;
    this.#add(value);
  }

  #add(value: string): void {
    if (value.trim() === '') return;
    this.cells++;
    this.#rowLength += value.length;
    if (this.#rowLength < maxRowLength) this.#cells.push(value);
  }
}

/** A number packed into four bytes: an integer or the upper half of a double, a hundredth of it where marked. */
function packed(view: ByteView, at: number): number {
  const raw = view.u32(at);
  const bits = new DataView(new ArrayBuffer(8));
  bits.setUint32(0, raw & 0xfffffffc);
  const value = (raw & 2) !== 0 ? view.i32(at) >> 2 : bits.getFloat64(0);
  return (raw & 1) !== 0 ? value / 100 : value;
}

function shown(value: number): string {
  return String(Number(value.toPrecision(15)));
}
