import type { Field } from '../../document/index.ts';
import { fact, RunningText, type StructuredText } from '../../text/index.ts';
import { localAttribute, localName, readXml, type XmlAttributes, type XmlHandler } from '../../xml/index.ts';
import { general, NumberFormats } from '../cells/number-format.ts';
import { addPrinted } from '../cells/printed-header.ts';
import { addDrawings } from './drawing.ts';
import { type OfficePackage, type Relation, withoutEscapes } from './package.ts';

const maxStrings = 500_000;
const maxStringLength = 32 * 1024;
const maxSheets = 1000;
const maxRowLength = 1024 * 1024;
const maxStyles = 100_000;

const printedPart = /^(?:odd|even|first)(?:Header|Footer)$/;

/**
 * Read a workbook: sheets' names as headings, rows as lines of cells as their formats show them, then comments, texts of
 * shapes and charts, headers and footers. Hidden sheets are read too. Returns the counts.
 */
export async function readSpreadsheet(
  office: OfficePackage,
  main: string,
  text: StructuredText,
): Promise<readonly Field[]> {
  const relations = await office.relations(main);
  const strings = readStrings(
    await office.part(relations.find(({ kind }) => kind === 'sharedStrings')?.target ?? ''),
  );
  const styles = readStyles(await office.part(relations.find(({ kind }) => kind === 'styles')?.target ?? ''));
  const sheets: { readonly name: string; readonly part: string }[] = [];
  readXml(await office.part(main), {
    open: (element, attributes) => {
      if (localName(element) === 'workbookPr')
        styles.formats.from1904 = /^(?:1|true|on)$/.test(localAttribute(attributes, 'date1904') ?? '');
      if (localName(element) !== 'sheet' || sheets.length >= maxSheets) return;
      const id = localAttribute(attributes, 'id');
      const part = relations.find((relation) => relation.id === id)?.target ?? '';
      sheets.push({ name: localAttribute(attributes, 'name') ?? '', part });
    },
  });
  let rows = 0;
  let cells = 0;
  for (const { name, part } of sheets) {
    text.heading(name);
    const reader = new SheetReader(text, strings, styles);
    readXml(await office.part(part), reader);
    rows += reader.rows;
    cells += reader.cells;
    const related = await office.relations(part);
    for (const { kind, external, target } of related)
      if (kind === 'hyperlink' && external) text.references.add(target, true);
    await addComments(office, related, text);
    await addDrawings(office, related, text);
    reader.printed.addTo(text);
  }
  return [fact('Sheets', sheets.length), fact('Rows', rows), fact('Cells', cells)];
}

/** The number format of each style of cells, by its place in the list. */
interface CellStyles {
  readonly formats: NumberFormats;
  readonly ids: readonly number[];
}

/** The styles of cells (ISO/IEC 29500-1 section 18.8), of which only the number formats matter. */
function readStyles(bytes: Uint8Array): CellStyles {
  const formats = new NumberFormats();
  const ids: number[] = [];
  let inCells = false;
  readXml(bytes, {
    open: (element, attributes) => {
      const name = localName(element);
      const id = Number(localAttribute(attributes, 'numFmtId') ?? 0);
      if (name === 'cellXfs') inCells = true;
      else if (name === 'numFmt') formats.define(id, localAttribute(attributes, 'formatCode') ?? '');
      else if (name === 'xf' && inCells && ids.length < maxStyles) ids.push(id);
    },
    close: (element) => {
      if (localName(element) === 'cellXfs') inCells = false;
    },
  });
  return { formats, ids };
}

/** The comments on cells. Threaded ones have a copy among the others, whose author begins with `tc=`. */
async function addComments(
  office: OfficePackage,
  relations: readonly Relation[],
  text: StructuredText,
): Promise<void> {
  for (const { kind, target } of relations) {
    if (kind !== 'comments' && kind !== 'threadedComment') continue;
    const authors: string[] = [];
    let author = 0;
    let words = '';
    let inText = false;
    readXml(await office.part(target), {
      open: (element, attributes) => {
        const name = localName(element);
        if (/^(?:author|comment|threadedComment)$/.test(name)) words = '';
        inText = name === 'author' || name === 't' || name === 'text';
        if (name === 'comment') author = Number(localAttribute(attributes, 'authorId') ?? 0);
      },
      text: (part) => {
        if (inText && words.length < maxStringLength) words += part;
      },
      close: (element) => {
        const name = localName(element);
        inText = false;
        if (name === 'author') authors.push(words);
        else if (name === 'threadedComment' || (name === 'comment' && !authors[author]?.startsWith('tc=')))
          text.paragraph(withoutEscapes(words));
      },
    });
  }
}

/** The strings cells share (ISO/IEC 29500-1 section 18.4), without how Japanese is pronounced. */
function readStrings(bytes: Uint8Array): string[] {
  const strings: string[] = [];
  let text = '';
  let inText = false;
  let pronounced = 0;
  readXml(bytes, {
    open: (element) => {
      const name = localName(element);
      if (name === 'si') text = '';
      else if (name === 't') inText = true;
      else if (name === 'rPh') pronounced++;
    },
    text: (part) => {
      if (inText && pronounced === 0 && text.length < maxStringLength) text += part;
    },
    close: (element) => {
      const name = localName(element);
      if (name === 't') inText = false;
      else if (name === 'rPh') pronounced--;
      else if (name === 'si' && strings.length < maxStrings) strings.push(withoutEscapes(text));
    },
  });
  return strings;
}

class SheetReader implements XmlHandler {
  readonly #text: StructuredText;
  readonly #strings: readonly string[];
  rows = 0;
  cells = 0;
  #row: string[] = [];
  #rowLength = 0;
  readonly #styles: CellStyles;
  /** The header and footer of the printed sheet. */
  readonly printed = new RunningText();
  #type = '';
  #style = 0;
  #value = '';
  #inValue = false;
  #pronounced = false;

  constructor(text: StructuredText, strings: readonly string[], styles: CellStyles) {
    this.#text = text;
    this.#strings = strings;
    this.#styles = styles;
  }

  open(element: string, attributes: XmlAttributes): void {
    const name = localName(element);
    if (name === 'row') {
      this.#row = [];
      this.#rowLength = 0;
    } else if (name === 'c') {
      this.#type = localAttribute(attributes, 't') ?? '';
      this.#style = Number(localAttribute(attributes, 's') ?? 0);
      this.#value = '';
    } else if (name === 'rPh') this.#pronounced = true;
    else if (name === 'v' || (name === 't' && !this.#pronounced)) this.#inValue = true;
    else if (printedPart.test(name)) {
      this.#value = '';
      this.#inValue = true;
    }
  }

  text(text: string): void {
    if (this.#inValue && this.#value.length < maxStringLength) this.#value += text;
  }

  close(element: string): void {
    const name = localName(element);
    if (name === 'v' || name === 't') this.#inValue = false;
    else if (name === 'rPh') this.#pronounced = false;
    else if (name === 'c') this.#cell();
    else if (printedPart.test(name)) {
      this.#inValue = false;
      addPrinted(this.#value, this.printed);
    } else if (name === 'row') {
      if (this.#row.length > 0) this.rows++;
      this.#text.row(this.#row.join('\t'));
    }
  }

  #cell(): void {
    const value = this.#shown();
    if (value.trim() === '') return;
    this.cells++;
    // One string may be shared by millions of cells.
    this.#rowLength += value.length;
    if (this.#rowLength < maxRowLength) this.#row.push(value);
  }

  #shown(): string {
    const value = this.#value;
    if (value.trim() === '') return '';
    if (this.#type === 's') return this.#strings[Number(value)] ?? '';
    if (this.#type === 'b') return value.trim() === '1' ? 'TRUE' : 'FALSE';
    if (this.#type === 'd') return value.replace(/T00:00(?::00(?:\.0+)?)?Z?$/, '').replace('T', ' ');
    const number = Number(value);
    if ((this.#type !== '' && this.#type !== 'n') || Number.isNaN(number)) return withoutEscapes(value);
    const id = this.#styles.ids[this.#style] ?? 0;
    if (id === 0 && /^-?\d+$/.test(value)) return value;
    return id === 0 ? general(number) : this.#styles.formats.shown(number, id);
  }
}
