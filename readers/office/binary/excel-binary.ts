import type { ByteView } from '../../bytes/index.ts';
import type { Field } from '../../document/index.ts';
import { decodeAs, encodingOfCodePage, fact, RunningText, type StructuredText } from '../../text/index.ts';
import { NumberFormats } from '../cells/number-format.ts';
import { addPrinted } from '../cells/printed-header.ts';
import type { CompoundFile } from './compound-file.ts';
import { ExcelStrings, excelRecords } from './excel-records.ts';

const maxStrings = 500_000;
const maxRowLength = 1024 * 1024;
const maxStyles = 100_000;
const maxShapes = 20_000;

// Kinds of substreams (MS-XLS 2.4.21).
const globals = 0x05;
const chart = 0x20;
/** Records that are read within a chart on a sheet: its beginning, end and texts. */
const ofCharts: ReadonlySet<number> = new Set([0x809, 0x0a, 0x100d]);
/** Code pages of Excel before 97 by another number: of the Macintosh, and of Windows. */
const macPages: ReadonlyMap<number, number> = new Map([
  [0x8000, 10_000],
  [0x8001, 1252],
]);

/**
 * Read a workbook's cells (MS-XLS) as their formats show them, with comments, texts of shapes, headers and footers after
 * each sheet, and return the counts; throws RangeError when there is none.
 */
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
  reader.endSheet();
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
  readonly #formats = new NumberFormats();
  /** The number format of each style of cells. */
  readonly #styles: number[] = [];
  readonly #printed = new RunningText();
  #shapes: string[] = [];
  /** Whether strings have a flag for their width and lengths of two bytes, since Excel 97. */
  #wide = true;
  /** The charset of strings before Excel 97. */
  #charset = 'windows-1252';
  /** 1 within a sheet, 2 within a chart on it. */
  #depth = 0;

  constructor(text: StructuredText) {
    this.#text = text;
  }

  /** Take one record; false when no later record can be read. */
  record(type: number, view: ByteView, parts: readonly ByteView[]): boolean {
    // A chart repeats the cells that it shows.
    if (this.#depth > 1 && !ofCharts.has(type)) return true;
    switch (type) {
      case 0x2f:
        this.#text.notes.push('The document is encrypted and opens only with a password.');
        return false;
      case 0x809:
        this.#begin(view.u16(0), view.u16(2));
        break;
      case 0x0a:
        this.#depth = Math.max(0, this.#depth - 1);
        break;
      case 0x42:
        this.#charset = encodingOfCodePage(macPages.get(view.u16(0)) ?? view.u16(0));
        break;
      case 0x85:
        this.sheets.push(this.#short(view, 6));
        break;
      case 0x100d:
        if (this.#shapes.length < maxShapes) this.#shapes.push(this.#short(view, 2));
        break;
      case 0xfc:
        this.#readStrings(view.u32(4), parts);
        break;
      case 0x22:
        this.#formats.from1904 = view.u16(0) !== 0;
        break;
      case 0x41e:
        this.#formats.define(view.u16(0), this.#string(view, 2, parts, 1));
        break;
      case 0xe0:
        if (this.#styles.length < maxStyles) this.#styles.push(view.u16(2));
        break;
      case 0x14:
      case 0x15:
        if (view.length > 0) addPrinted(this.#string(view, 0, parts, 1), this.#printed);
        break;
      case 0x1c:
        if (!this.#wide && this.#shapes.length < maxShapes)
          this.#shapes.push(this.#narrow(view, 6, view.u16(4)));
        break;
      case 0x1b6:
        this.#shape(view, parts[1]);
        break;
      case 0x205:
        if (view.u8(7) === 0) this.#cell(view, view.u8(6) === 0 ? 'FALSE' : 'TRUE');
        break;
      case 0xfd:
        this.#cell(view, this.#strings[view.u32(6)] ?? '');
        break;
      case 0x204:
      case 0xd6:
        this.#cell(view, this.#string(view, 6, parts));
        break;
      case 0x203:
        this.#cell(view, this.#number(view, 4, view.f64(6)));
        break;
      case 0x27e:
        this.#cell(view, this.#number(view, 4, packed(view, 6)));
        break;
      case 0xbd:
        for (let at = 4; at + 6 <= view.length - 2; at += 6)
          this.#cell(view, this.#number(view, at, packed(view, at + 2)));
        break;
      case 0x06:
        // A result of text follows in a record of its own.
        this.#toRow(view.u16(0));
        if (view.u16(12) !== 0xffff) this.#cell(view, this.#number(view, 4, view.f64(6)));
        else if (view.u8(6) === 1) this.#cell(view, view.u8(8) === 0 ? 'FALSE' : 'TRUE');
        break;
      case 0x207:
        this.#add(this.#string(view, 0, parts));
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

  /** The texts beside the cells come after the rows. */
  endSheet(): void {
    this.endRow();
    for (const shape of this.#shapes) this.#text.paragraph(shape);
    this.#shapes = [];
    this.#printed.addTo(this.#text);
  }

  #number(view: ByteView, style: number, value: number): string {
    return this.#formats.shown(value, this.#styles[view.u16(style)] ?? 0);
  }

  /** A string with its length of two bytes before it; before Excel 97 of `older` bytes. */
  #string(view: ByteView, at: number, parts: readonly ByteView[], older: 1 | 2 = 2): string {
    if (this.#wide) return new ExcelStrings(parts, at).next();
    return this.#narrow(view, at + older, older === 1 ? view.u8(at) : view.u16(at));
  }

  /** A string with its length of one byte before it, such as a sheet's name. */
  #short(view: ByteView, at: number): string {
    const length = view.u8(at);
    if (!this.#wide) return this.#narrow(view, at + 1, length);
    const wide = (view.u8(at + 1) & 1) !== 0;
    return wide ? view.utf16(at + 2, at + 2 + 2 * length) : view.latin1(at + 2, at + 2 + length);
  }

  #narrow(view: ByteView, at: number, length: number): string {
    return decodeAs(view.slice(at, at + length), this.#charset);
  }

  /** The text of a comment or a shape (MS-XLS 2.4.329), which the next part of the record holds. */
  #shape(view: ByteView, part: ByteView | undefined): void {
    const length = view.u16(10);
    if (part === undefined || length === 0 || this.#shapes.length >= maxShapes) return;
    const wide = (part.u8(0) & 1) !== 0;
    const end = Math.min(part.length, 1 + (wide ? 2 : 1) * length);
    this.#shapes.push(wide ? part.utf16(1, end) : part.latin1(1, end));
  }

  /** Begin the workbook's globals, a sheet, or a chart: on a sheet or as a sheet of its own. */
  #begin(version: number, kind: number): void {
    this.#wide = version >= 0x600;
    this.#depth = kind === chart && this.#depth > 0 ? this.#depth + 1 : 1;
    if (kind === globals || this.#depth > 1) return;
    this.endSheet();
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

  #toRow(row: number): void {
    if (row !== this.#row) this.endRow();
    this.#row = row;
  }

  #cell(view: ByteView, value: string): void {
    this.#toRow(view.u16(0));
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
