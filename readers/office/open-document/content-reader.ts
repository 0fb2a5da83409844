import { ParagraphStack, type StructuredText } from '../../text/index.ts';
import type { XmlAttributes, XmlHandler } from '../../xml/index.ts';

const maxSpaces = 8;

// Elements whose text is left out: comments, deleted text, drawings of the program, readings within words.
const silent = new Set([
  'office:annotation',
  'text:tracked-changes',
  'office:scripts',
  'office:font-face-decls',
  'office:styles',
  'office:automatic-styles',
  'office:master-styles',
  'office:meta',
  'office:settings',
  'office:binary-data',
  'table:tracked-changes',
  'text:note-citation',
  'text:ruby-text',
  'math:annotation',
]);

/** Reads OpenDocument content (1.3 part 3, sections 5, 9 and 10): text, tables, notes, sheets, pages. */
export class ContentReader implements XmlHandler {
  readonly #text: StructuredText;
  readonly #paragraphs = new ParagraphStack();
  #silent = 0;
  #cells: string[] | undefined;
  #notes = 0;
  #spreadsheet = false;
  #titles = false;
  sheets = 0;
  slides = 0;

  constructor(text: StructuredText) {
    this.#text = text;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (silent.has(name)) this.#silent++;
    if (this.#silent > 0) return;
    switch (name) {
      case 'text:p':
      case 'text:h':
        this.#paragraphs.begin();
        break;
      case 'text:s':
        this.#paragraphs.add(
          ' '.repeat(Math.min(Math.max(Number(attributes['text:c'] ?? 1) || 1, 1), maxSpaces)),
        );
        break;
      case 'text:tab':
        this.#paragraphs.add('\t');
        break;
      case 'text:line-break':
        this.#paragraphs.add('\n');
        break;
      case 'text:note':
        this.#notes++;
        break;
      case 'text:a':
      case 'draw:a':
        this.#text.references.add(attributes['xlink:href'] ?? '', true);
        break;
      case 'table:table':
        if (this.#spreadsheet) this.#sheet(attributes['table:name'] ?? '');
        break;
      case 'table:table-row':
        this.#cells = [];
        break;
      case 'draw:page':
        this.slides++;
        break;
      case 'office:spreadsheet':
        // Names of tables in texts and slides are generated.
        this.#spreadsheet = true;
        break;
      case 'draw:frame':
        this.#titles = attributes['presentation:class'] === 'title';
        break;
    }
  }

  text(text: string): void {
    if (this.#silent === 0) this.#paragraphs.add(text.replace(/\s+/g, ' '));
  }

  close(name: string): void {
    if (silent.has(name)) this.#silent = Math.max(0, this.#silent - 1);
    if (this.#silent > 0) return;
    if (name === 'text:h') {
      const text = this.#paragraphs.end();
      if (this.#cells === undefined) this.#text.heading(text);
      else this.#cells.push(text);
    } else if (name === 'text:p') this.#paragraph(this.#paragraphs.end());
    else if (name === 'text:note') this.#notes = Math.max(0, this.#notes - 1);
    else if (name === 'table:table-row') {
      const cells = this.#cells ?? [];
      this.#cells = undefined;
      this.#text.row(cells.filter((cell) => cell.trim() !== '').join('\t'));
    } else if (name === 'draw:frame') this.#titles = false;
    else if (name === 'svg:title' || name === 'svg:desc') this.#paragraphs.add(' ');
  }

  #sheet(name: string): void {
    this.sheets++;
    this.#text.heading(name);
  }

  #paragraph(text: string): void {
    // A note's text goes into the paragraph it belongs to.
    if (this.#notes > 0 && !this.#paragraphs.empty) this.#paragraphs.add(` [${text.trim()}] `);
    else if (this.#cells !== undefined) this.#cells.push(text);
    else if (this.#titles) this.#text.heading(text);
    else if (text.includes('\n')) this.#text.lines(text);
    else this.#text.paragraph(text);
  }
}
