import {
  isPageField,
  ParagraphStack,
  pageMark,
  RowStack,
  RunningText,
  type StructuredText,
  type TextSink,
} from '../../text/index.ts';
import {
  elementTexts,
  localAttribute,
  localName,
  readXml,
  type XmlAttributes,
  type XmlHandler,
} from '../../xml/index.ts';
import { addDrawings } from './drawing.ts';
import type { OfficePackage, Relation } from './package.ts';

const maxNotes = 20_000;
const maxStyles = 10_000;
const maxHeading = 2000;
const maxRelations = 2000;
const maxFields = 100;
const maxInstruction = 2000;
const maxProperties = 16 * 1024;

// Deleted text, comment marks, fallbacks for older programs, and readings, which would part the words.
const silent = new Set(['del', 'moveFrom', 'instrText', 'delText', 'Fallback', 'rt']);

/**
 * Read a word-processing document: headings by style, tables row by row, notes in brackets. Headers come first, footers
 * after the text, each once; then texts of charts and diagrams, and comments.
 */
export async function readWord(office: OfficePackage, main: string, text: StructuredText): Promise<void> {
  const relations = await office.relations(main);
  const styles = headingStyles(await office.part(partOf(relations, 'styles')));
  const notes = new Map([
    ...(await notesOf(office, partOf(relations, 'footnotes'), 'footnote')),
    ...(await notesOf(office, partOf(relations, 'endnotes'), 'endnote')),
  ]);
  addLinks(relations, text);
  const refer = (link: string) => text.references.add(link, true);
  const running = async (wanted: string) => {
    const lines = new RunningText();
    for (const { kind, target } of relations.slice(0, maxRelations)) {
      if (kind !== wanted) continue;
      addLinks(await office.relations(target), text);
      readXml(await office.part(target), new WordReader(lines, styles, new Map(), refer));
    }
    lines.addTo(text);
  };
  await running('header');
  readXml(await office.part(main), new WordReader(text, styles, notes, refer));
  await running('footer');
  await addDrawings(office, relations, text);
  for (const [, comment] of await notesOf(office, partOf(relations, 'comments'), 'comment'))
    text.paragraph(comment);
}

/** Read a word-processing document in a single XML file: of Word 2003, or a package with its parts in it. */
export function readWordXml(bytes: Uint8Array, text: StructuredText): Properties {
  const refer = (link: string) => text.references.add(link, true);
  readXml(bytes, new WordReader(text, headingStyles(bytes), new Map(), refer));
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = Math.max(whole.indexOf('<o:DocumentProperties'), whole.indexOf('<cp:coreProperties'), 0);
  const values = elementTexts(bytes.subarray(start, start + maxProperties));
  const first = (...names: readonly string[]) => names.flatMap((name) => values.get(name) ?? [])[0];
  return { title: first('o:Title', 'dc:title'), author: first('o:Author', 'dc:creator') };
}

interface Properties {
  readonly title: string | undefined;
  readonly author: string | undefined;
}

function addLinks(relations: readonly Relation[], text: StructuredText): void {
  for (const { kind, external, target } of relations)
    if (kind === 'hyperlink' && external) text.references.add(target, true);
}

function partOf(relations: readonly Relation[], kind: string): string {
  return relations.find((relation) => relation.kind === kind)?.target ?? '';
}

/** The styles that are headings, by an outline level or by name; a style may be based on such a style. */
function headingStyles(bytes: Uint8Array): ReadonlySet<string> {
  const headings = new Set<string>();
  const bases = new Map<string, string>();
  let style = '';
  readXml(bytes, {
    open: (element, attributes) => {
      const value = localAttribute(attributes, 'val') ?? '';
      switch (localName(element)) {
        case 'style':
          style = localAttribute(attributes, 'styleId') ?? '';
          break;
        case 'name':
          if (/^(?:heading \d|title|subtitle)$/i.test(value)) headings.add(style);
          break;
        case 'outlineLvl':
          if (Number(value) < 9) headings.add(style);
          break;
        case 'basedOn':
          if (bases.size < maxStyles) bases.set(style, value);
          break;
      }
    },
  });
  for (const [name, base] of bases) if (headings.has(base) && /heading|title/i.test(name)) headings.add(name);
  return headings;
}

async function notesOf(office: OfficePackage, part: string, kind: string): Promise<[string, string][]> {
  if (part === '') return [];
  const notes: [string, string][] = [];
  let id = '';
  let note = '';
  let inText = false;
  let hidden = 0;
  readXml(await office.part(part), {
    open: (element, attributes) => {
      const name = localName(element);
      if (silent.has(name)) hidden++;
      if (name === kind) {
        id = localAttribute(attributes, 'id') ?? '';
        note = '';
      } else if (name === 't') inText = true;
      else if (name === 'p' || name === 'tab' || name === 'br') note += ' ';
    },
    text: (text) => {
      if (inText && hidden === 0 && note.length < 100_000) note += text;
    },
    close: (element) => {
      const name = localName(element);
      if (silent.has(name)) hidden--;
      if (name === 't') inText = false;
      else if (name === kind && notes.length < maxNotes) notes.push([`${kind} ${id}`, note.trim()]);
    },
  });
  return notes;
}

class WordReader implements XmlHandler {
  readonly #text: TextSink;
  readonly #refer: (link: string) => void;
  readonly #styles: ReadonlySet<string>;
  readonly #notes: Map<string, string>;
  readonly #paragraphs = new ParagraphStack();
  #silent = 0;
  #inText = false;
  #heading = false;
  readonly #rows = new RowStack();
  /** The open fields: the instruction so far, and whether the result is being read and is left out. */
  readonly #fields: { instruction: string; hides: boolean }[] = [];
  #inInstruction = false;

  constructor(
    text: TextSink,
    styles: ReadonlySet<string>,
    notes: Map<string, string>,
    refer: (link: string) => void,
  ) {
    this.#text = text;
    this.#refer = refer;
    this.#styles = styles;
    this.#notes = notes;
  }

  open(element: string, attributes: XmlAttributes): void {
    const name = localName(element);
    if (silent.has(name)) this.#silent++;
    if (name === 'instrText') this.#inInstruction = true;
    if (name === 'fldSimple') this.#beginField(localAttribute(attributes, 'instr') ?? '');
    if (name === 'fldSimple') this.#showField();
    if (this.#silent > 0) return;
    switch (name) {
      case 'fldChar': {
        const type = localAttribute(attributes, 'fldCharType');
        if (type === 'begin') this.#beginField('');
        else this.#showField();
        if (type === 'end') this.#fields.pop();
        break;
      }
      case 'pgNum':
        this.#paragraphs.add(pageMark);
        break;
      case 'p':
        this.#paragraphs.begin();
        this.#heading = false;
        break;
      case 'pStyle':
        this.#heading = this.#styles.has(localAttribute(attributes, 'val') ?? '');
        break;
      case 'outlineLvl':
        this.#heading ||= Number(localAttribute(attributes, 'val')) < 9;
        break;
      case 't':
        this.#inText = true;
        break;
      case 'tab':
        this.#paragraphs.add('\t');
        break;
      case 'br':
      case 'cr':
        this.#paragraphs.add('\n');
        break;
      case 'noBreakHyphen':
        this.#paragraphs.add('-');
        break;
      case 'footnoteReference':
      case 'endnoteReference': {
        const id = `${name.slice(0, -9)} ${localAttribute(attributes, 'id') ?? ''}`;
        const note = this.#notes.get(id);
        // Referred to again and again it would unfold.
        this.#notes.delete(id);
        if (note !== undefined && note !== '') this.#paragraphs.add(` [${note}] `);
        break;
      }
      case 'tr':
        this.#rows.begin();
        break;
      case 'tc':
        this.#rows.cell();
        break;
    }
  }

  text(text: string): void {
    const field = this.#fields.at(-1);
    if (this.#inInstruction && field !== undefined)
      field.instruction = (field.instruction + text).slice(0, maxInstruction);
    if (this.#inText && this.#silent === 0 && field?.hides !== true) this.#paragraphs.add(text);
  }

  close(element: string): void {
    const name = localName(element);
    if (silent.has(name)) this.#silent = Math.max(0, this.#silent - 1);
    if (name === 'instrText') this.#inInstruction = false;
    if (name === 'fldSimple') this.#fields.pop();
    if (this.#silent > 0) return;
    if (name === 't') this.#inText = false;
    else if (name === 'p') this.#paragraph(this.#paragraphs.end());
    else if (name === 'tr') this.#rows.end(this.#text);
  }

  #beginField(instruction: string): void {
    if (this.#fields.length < maxFields) this.#fields.push({ instruction, hides: false });
  }

  /** A page number differs from page to page; its place is marked. A link's address is in the instruction. */
  #showField(): void {
    const field = this.#fields.at(-1);
    const link = /^\s*HYPERLINK\s+"([^"\\]+)"/.exec(field?.instruction ?? '')?.[1];
    if (link !== undefined) this.#refer(link);
    if (field === undefined || field.hides || !isPageField(field.instruction)) return;
    field.hides = true;
    this.#paragraphs.add(pageMark);
  }

  #paragraph(text: string): void {
    if (this.#rows.open) this.#rows.add(text);
    else if (this.#heading && text.length < maxHeading) this.#text.heading(text);
    else if (text.includes('\n')) this.#text.lines(text);
    else this.#text.paragraph(text);
    this.#heading = false;
  }
}
