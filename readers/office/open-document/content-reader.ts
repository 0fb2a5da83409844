import {
  ParagraphStack,
  pageMark,
  RowStack,
  RunningText,
  type StructuredText,
  type TextSink,
} from '../../text/index.ts';
import type { XmlAttributes, XmlHandler } from '../../xml/index.ts';

const maxSpaces = 8;

// Elements whose text is left out: deleted text, drawings of the program, readings within words.
const silent = new Set([
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
  'annotation',
  // Fields of headers, and who wrote a comment when.
  'text:page-number',
  'text:page-count',
  'text:sheet-name',
  'dc:creator',
  'dc:date',
  'meta:date-string',
  'meta:creator-initials',
]);

const maxComments = 20_000;

/** Elements at whose ends their comments are read. */
const commented: ReadonlySet<string> = new Set([
  'office:text',
  'table:table',
  'draw:page',
  'office:presentation',
]);

/** The values of a cell that has no text (OpenDocument 1.3 part 3, section 19.385). */
const cellValues = [
  'office:string-value',
  'office:date-value',
  'office:time-value',
  'office:value',
  'office:boolean-value',
] as const;

/**
 * Reads OpenDocument content (1.3 part 3, sections 5, 9 and 10): text, tables, notes, sheets, pages. Comments come after
 * the text, sheet or page they belong to.
 */
export class ContentReader implements XmlHandler {
  readonly #text: StructuredText;
  readonly #sink: TextSink;
  /** Headers and footers of all slides. */
  readonly #running = new RunningText();
  readonly #comments: string[] = [];
  #annotations = 0;
  #chart = false;
  /** The value of the open cell, if it has no text. */
  #value = '';
  readonly #paragraphs = new ParagraphStack();
  #silent = 0;
  readonly #rows = new RowStack();
  #notes = 0;
  #spreadsheet = false;
  #titles = false;
  sheets = 0;
  slides = 0;

  /** Links go to `text`, all else to `sink`. */
  constructor(text: StructuredText, sink: TextSink = text) {
    this.#text = text;
    this.#sink = sink;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'text:page-number' || name === 'text:page-count') this.#paragraphs.add(pageMark);
    // The table of a chart repeats the cells that it shows.
    if (silent.has(name) || (this.#chart && name === 'table:table')) this.#silent++;
    if (this.#silent > 0) return;
    switch (name) {
      case 'math':
      case 'math:math':
      case 'presentation:header-decl':
      case 'presentation:footer-decl':
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
        this.#rows.begin();
        break;
      case 'table:table-cell':
        this.#rows.cell();
        this.#value = cellValues.map((key) => attributes[key]).find((value) => value !== undefined) ?? '';
        break;
      case 'office:annotation':
        this.#annotations++;
        break;
      case 'office:chart':
        this.#chart = true;
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
    if (silent.has(name) || (this.#chart && name === 'table:table'))
      this.#silent = Math.max(0, this.#silent - 1);
    if (this.#silent > 0) return;
    if (name === 'text:h') {
      const text = this.#paragraphs.end();
      if (this.#rows.open) this.#addToCell(text);
      else this.#sink.heading(text);
    } else if (name === 'text:p') this.#paragraph(this.#paragraphs.end());
    else if (/^(?:math:)?math$/.test(name)) this.#paragraph(this.#paragraphs.end());
    else if (/^(?:math:)?m[ino]$/.test(name)) this.#paragraphs.add(' ');
    else if (name === 'text:note') this.#notes = Math.max(0, this.#notes - 1);
    else if (name === 'table:table-row') this.#rows.end(this.#sink);
    else if (name === 'table:table-cell') {
      if (this.#value !== '') this.#addToCell(this.#value);
    } else if (/^presentation:(?:header|footer)-decl$/.test(name))
      this.#running.paragraph(this.#paragraphs.end());
    else if (name === 'office:annotation') this.#annotations = Math.max(0, this.#annotations - 1);
    else if (commented.has(name) && (name !== 'table:table' || this.#spreadsheet)) this.#addComments();
    else if (name === 'draw:frame') this.#titles = false;
    else if (name === 'svg:title' || name === 'svg:desc') this.#paragraphs.add(' ');
  }

  #addToCell(text: string): void {
    this.#value = '';
    this.#rows.add(text);
  }

  #sheet(name: string): void {
    this.sheets++;
    this.#sink.heading(name);
  }

  #addComments(): void {
    for (const comment of this.#comments.splice(0)) this.#text.paragraph(comment);
    this.#running.addTo(this.#text);
  }

  #paragraph(text: string): void {
    if (this.#annotations > 0) {
      if (this.#comments.length < maxComments) this.#comments.push(text);
      return;
    }
    // A note's text goes into the paragraph it belongs to.
    if (this.#notes > 0 && !this.#paragraphs.empty) this.#paragraphs.add(` [${text.trim()}] `);
    else if (this.#rows.open) this.#addToCell(text);
    else if (this.#titles) this.#sink.heading(text);
    else if (text.includes('\n')) this.#sink.lines(text);
    else this.#sink.paragraph(text);
  }
}

/** Reads headers and footers in the master pages of OpenDocument styles, each of which may be switched off. */
export class HeaderReader implements XmlHandler {
  readonly headers = new RunningText();
  readonly footers = new RunningText();
  readonly #text: StructuredText;
  #reader: ContentReader | undefined;
  #open = 0;

  constructor(text: StructuredText) {
    this.#text = text;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.#reader === undefined) {
      const [, kind] = /^style:(header|footer)(?:-left|-first)?$/.exec(name) ?? [];
      if (kind === undefined || attributes['style:display'] === 'false') return;
      this.#reader = new ContentReader(this.#text, kind === 'header' ? this.headers : this.footers);
    } else this.#reader.open(name, attributes);
    this.#open++;
  }

  text(text: string): void {
    this.#reader?.text(text);
  }

  close(name: string): void {
    if (this.#open === 0) return;
    this.#open--;
    if (this.#open > 0) this.#reader?.close(name);
    else this.#reader = undefined;
  }
}
