import { oneLine, ProseBuffer, type StructuredText } from '../text/index.ts';
import { type PaperRole, paperMacros } from './paper-macro-table.ts';
import type { TroffSink } from './troff-reader.ts';

const maxCollected = 16 * 1024;
const maxPeople = 64;
/** Two to five words with capitals, such as a person's name. */
const personal = /^(?:\p{Lu}[\p{L}.'’-]*\s+){1,4}\p{Lu}[\p{L}.'’-]*$/u;
const paragraphs: ReadonlySet<string> = new Set(['pp', 'lp', 'np', 'PP', 'LP', 'P', 'QP', 'XP']);

/** Text that goes into an attribute rather than into the running text. */
type Collecting = 'title' | 'author' | 'institution' | 'heading' | 'abstract';

/** Reads papers in the ms, me or mm macros: title, authors, institutions, abstract, sections. */
export class PaperMacros implements TroffSink {
  readonly authors: string[] = [];
  readonly institutions: string[] = [];
  date: string | undefined;
  abstract = '';
  readonly #text: StructuredText;
  readonly #prose: ProseBuffer;
  #collecting: Collecting | undefined;
  #collected: string[] = [];
  #length = 0;
  /** Whether the paper's text has begun: no title follows. */
  #begun = false;
  /** Centred lines, and whether the current lines are. */
  #list: string[] = [];
  #centred = false;
  #onTitlePage = false;
  #display = false;
  #ignoring: string | undefined;

  constructor(text: StructuredText) {
    this.#text = text;
    this.#prose = new ProseBuffer(text);
    this.#prose.listener = (block) => {
      if (this.#collecting === 'abstract' && this.abstract.length < maxCollected)
        this.abstract += (this.abstract === '' ? '' : '\n') + oneLine(block);
    };
  }

  knows(macro: string): boolean {
    return paperMacros.has(macro);
  }

  macro(name: string, args: readonly string[]): void {
    const role = paperMacros.get(name);
    if (this.#ignoring !== undefined) {
      if (name === this.#ignoring) this.#ignoring = undefined;
      return;
    }
    if (name === 'XS' || name === '(x') this.#ignoring = name === 'XS' ? 'XE' : ')x';
    if (role === undefined || role === 'drop' || role === 'running') return;
    if (role === 'words') {
      // ms sets a second argument right after the first, in the font before.
      if (args.length > 0)
        this.text(name.length === 2 && /^[BIR]{2}$/.test(name) ? args.join('') : args.slice(0, 2).join(''));
      return;
    }
    this.#block(role, name, args);
  }

  #block(role: PaperRole, name: string, args: readonly string[]): void {
    const [first] = args;
    switch (role) {
      case 'title':
      case 'author':
      case 'institution':
        this.#collect(role);
        if (role === 'institution' && name === 'AF' && first !== undefined) this.text(first);
        // mm gives the author as an argument.
        else if (role === 'author' && first !== undefined) this.text(first);
        return;
      case 'date':
        this.#settle();
        if (args.length > 0) this.date ??= args.join(' ');
        return;
      case 'abstract':
        this.#collect('abstract');
        return;
      case 'abstract-end':
        if (name === 'AE' || this.#collecting === 'abstract') this.#settle();
        return;
      case 'heading':
        if (name === '+c' && first === undefined) {
          this.#paragraph();
          return;
        }
        this.#collect('heading');
        if (name === '+c' && first !== undefined) this.text(first);
        return;
      case 'heading-argument':
        this.#settle();
        this.#begun = true;
        this.#text.heading(/^\d+$/.test(first ?? '') ? (args[1] ?? '') : (first ?? ''));
        return;
      case 'item':
        this.#paragraph();
        if (first !== undefined && /[\p{L}\p{N}]/u.test(first)) this.#prose.line(first);
        return;
      case 'title-page':
        this.#settle();
        this.#onTitlePage = true;
        return;
      case 'verbatim':
        this.#paragraph();
        this.#display = true;
        this.#prose.fill(false);
        return;
      case 'verbatim-end':
        this.#prose.fill(true);
        return;
      default:
        this.#paragraphMacro(name, first);
    }
  }

  #paragraphMacro(name: string, first: string | undefined): void {
    this.#paragraph();
    // me's lists and blocks keep their lines unless an argument fills them; a centred one may be the title.
    if (name === '(l' || name === '(b') this.#prose.fill(first === 'F');
    else if (name === ')l' || name === ')b') {
      this.#titleFromList();
      this.#prose.fill(true);
    } else if (name === 'DE' && this.#display) {
      this.#display = false;
      this.#prose.fill(true);
    } else if (paragraphs.has(name)) {
      this.#begun = true;
      this.#prose.fill(true);
    }
    this.#centred = name === '(l' && first === 'C';
  }

  /** In me a title page has no macros of its own: centred lines before the first heading. */
  #titleFromList(): void {
    const lines = this.#list
      .map((line) => oneLine(line).replace(/[*†‡§]+$/, ''))
      .filter((line) => /\p{L}/u.test(line) && !/^[*†‡]/.test(line));
    this.#list = [];
    if (this.#begun || lines.length === 0) return;
    if (this.#text.title === undefined) {
      this.#text.title = lines[0];
      if (this.#onTitlePage || lines.length > 1) this.#people(lines.slice(1));
    } else if (this.authors.length === 0) this.#people(lines);
  }

  #people(lines: readonly string[]): void {
    for (const line of lines) {
      const name = line.replace(/^by\s+/i, '');
      if (this.authors.length === 0) {
        if (personal.test(name)) this.authors.push(name);
      } else if (this.institutions.length < maxPeople) this.institutions.push(name);
    }
  }

  #collect(what: Collecting): void {
    this.#settle();
    this.#prose.end();
    this.#collecting = what;
  }

  /** A paragraph begins and ends the current one, except an abstract, which has paragraphs of its own. */
  #paragraph(): void {
    if (this.#collecting !== 'abstract') this.#settle();
    this.#prose.end();
  }

  #settle(): void {
    this.#prose.end();
    const what = this.#collecting;
    const lines = this.#collected;
    this.#collecting = undefined;
    this.#collected = [];
    this.#length = 0;
    const line = lines.join(' ');
    if (line.trim() === '') return;
    if (what === 'title') {
      this.#text.title ??= oneLine(line);
      this.#text.heading(line);
      this.#text.headings.pop();
    } else if (what === 'heading') {
      this.#begun = true;
      this.#text.heading(line);
    } else {
      const people = what === 'author' ? this.authors : this.institutions;
      // Each author is on a line; an institution is one text on several.
      for (const each of what === 'author' ? lines : [line])
        if (people.length < maxPeople && oneLine(each) !== '')
          people.push(oneLine(each).replace(/[*†‡]+$/, ''));
      this.#text.paragraph(line);
    }
  }

  text(line: string): void {
    if (this.#ignoring !== undefined) return;
    const what = this.#collecting;
    if (what !== undefined && what !== 'abstract') {
      this.#length += line.length;
      if (this.#length <= maxCollected) this.#collected.push(line);
      return;
    }
    if (this.#centred && this.#list.length < 20) this.#list.push(line);
    this.#prose.line(line);
  }

  lineBreak(blank: boolean): void {
    if (this.#collecting === undefined || this.#collecting === 'abstract') this.#prose.lineBreak(blank);
  }

  fill(on: boolean, centred = false): void {
    if (!centred) this.#titleFromList();
    this.#prose.fill(on);
    this.#centred = centred;
  }

  row(cells: readonly string[]): void {
    this.#paragraph();
    this.#prose.line(cells.join(' '));
    this.#prose.end();
  }

  source(file: string): void {
    if (file !== '' && !/\.tmac$/.test(file)) this.#text.references.add(file, true);
  }

  /** The source has ended. */
  end(): void {
    this.#settle();
  }
}
