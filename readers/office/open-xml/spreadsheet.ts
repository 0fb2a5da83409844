import type { Field } from '../../document/index.ts';
import { fact, type StructuredText } from '../../text/index.ts';
import { localAttribute, localName, readXml, type XmlAttributes, type XmlHandler } from '../../xml/index.ts';
import type { OfficePackage } from './package.ts';

const maxStrings = 500_000;
const maxStringLength = 32 * 1024;
const maxSheets = 1000;
const maxRowLength = 1024 * 1024;

/** Read a workbook: sheets' names as headings, rows as lines of cells. Returns the counts. */
export async function readSpreadsheet(
  office: OfficePackage,
  main: string,
  text: StructuredText,
): Promise<readonly Field[]> {
  const relations = await office.relations(main);
  const strings = readStrings(
    await office.part(relations.find(({ kind }) => kind === 'sharedStrings')?.target ?? ''),
  );
  const sheets: { readonly name: string; readonly part: string }[] = [];
  readXml(await office.part(main), {
    open: (element, attributes) => {
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
    const reader = new SheetReader(text, strings);
    readXml(await office.part(part), reader);
    rows += reader.rows;
    cells += reader.cells;
    for (const { kind, external, target } of await office.relations(part))
      if (kind === 'hyperlink' && external) text.references.add(target, true);
  }
  return [fact('Sheets', sheets.length), fact('Rows', rows), fact('Cells', cells)];
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
      else if (name === 'si' && strings.length < maxStrings) strings.push(text);
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
  #type = '';
  #value = '';
  #inValue = false;

  constructor(text: StructuredText, strings: readonly string[]) {
    this.#text = text;
    this.#strings = strings;
  }

  open(element: string, attributes: XmlAttributes): void {
    const name = localName(element);
    if (name === 'row') {
      this.#row = [];
      this.#rowLength = 0;
    } else if (name === 'c') {
      this.#type = localAttribute(attributes, 't') ?? '';
      this.#value = '';
    } else if (name === 'v' || name === 't') this.#inValue = true;
  }

  text(text: string): void {
    if (this.#inValue && this.#value.length < maxStringLength) this.#value += text;
  }

  close(element: string): void {
    const name = localName(element);
    if (name === 'v' || name === 't') this.#inValue = false;
    else if (name === 'c') this.#cell();
    else if (name === 'row') {
      if (this.#row.length > 0) this.rows++;
      this.#text.row(this.#row.join('\t'));
    }
  }

  #cell(): void {
    const value = this.#type === 's' ? (this.#strings[Number(this.#value)] ?? '') : this.#value;
    if (value.trim() === '') return;
    this.cells++;
    // One string may be shared by millions of cells.
    this.#rowLength += value.length;
    if (this.#rowLength < maxRowLength) this.#row.push(value);
  }
}
