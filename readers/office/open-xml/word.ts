import { ParagraphStack, type StructuredText } from '../../text/index.ts';
import { localAttribute, localName, readXml, type XmlAttributes, type XmlHandler } from '../../xml/index.ts';
import type { OfficePackage } from './package.ts';

const maxNotes = 20_000;
const maxStyles = 10_000;
const maxHeading = 2000;

// Deleted text, comment marks, fallbacks for older programs, and readings, which would part the words.
const silent = new Set(['del', 'moveFrom', 'instrText', 'delText', 'Fallback', 'rt']);

/** Read a word-processing document: headings by style, tables row by row, notes in brackets; comments are left out. */
export async function readWord(office: OfficePackage, main: string, text: StructuredText): Promise<void> {
  const relations = await office.relations(main);
  const styles = headingStyles(await office.part(partOf(relations, 'styles')));
  const notes = new Map([
    ...(await notesOf(office, partOf(relations, 'footnotes'), 'footnote')),
    ...(await notesOf(office, partOf(relations, 'endnotes'), 'endnote')),
  ]);
  for (const { kind, external, target } of relations)
    if (kind === 'hyperlink' && external) text.references.add(target, true);
  readXml(await office.part(main), new WordReader(text, styles, notes));
}

function partOf(
  relations: readonly { readonly kind: string; readonly target: string }[],
  kind: string,
): string {
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
  readXml(await office.part(part), {
    open: (element, attributes) => {
      const name = localName(element);
      if (name === kind) {
        id = localAttribute(attributes, 'id') ?? '';
        note = '';
      } else if (name === 't') inText = true;
      else if (name === 'p' || name === 'tab' || name === 'br') note += ' ';
    },
    text: (text) => {
      if (inText && note.length < 100_000) note += text;
    },
    close: (element) => {
      const name = localName(element);
      if (name === 't') inText = false;
      else if (name === kind && notes.length < maxNotes) notes.push([`${kind} ${id}`, note.trim()]);
    },
  });
  return notes;
}

class WordReader implements XmlHandler {
  readonly #text: StructuredText;
  readonly #styles: ReadonlySet<string>;
  readonly #notes: Map<string, string>;
  readonly #paragraphs = new ParagraphStack();
  #silent = 0;
  #inText = false;
  #heading = false;
  #cells: string[] | undefined;
  #cell = '';

  constructor(text: StructuredText, styles: ReadonlySet<string>, notes: Map<string, string>) {
    this.#text = text;
    this.#styles = styles;
    this.#notes = notes;
  }

  open(element: string, attributes: XmlAttributes): void {
    const name = localName(element);
    if (silent.has(name)) this.#silent++;
    if (this.#silent > 0) return;
    switch (name) {
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
        this.#cells = [];
        break;
      case 'tc':
        this.#cell = '';
        break;
    }
  }

  text(text: string): void {
    if (this.#inText && this.#silent === 0) this.#paragraphs.add(text);
  }

  close(element: string): void {
    const name = localName(element);
    if (silent.has(name)) this.#silent = Math.max(0, this.#silent - 1);
    if (this.#silent > 0) return;
    if (name === 't') this.#inText = false;
    else if (name === 'p') this.#paragraph(this.#paragraphs.end());
    else if (name === 'tc') this.#cells?.push(this.#cell.trim());
    else if (name === 'tr') {
      this.#text.row((this.#cells ?? []).filter((cell) => cell !== '').join('\t'));
      this.#cells = undefined;
    }
  }

  #paragraph(text: string): void {
    if (this.#cells !== undefined) this.#cell += ` ${text}`;
    else if (this.#heading && text.length < maxHeading) this.#text.heading(text);
    else if (text.includes('\n')) this.#text.lines(text);
    else this.#text.paragraph(text);
    this.#heading = false;
  }
}
