import { beginning, oneLine, ProseBuffer, type StructuredText } from '../text/index.ts';
import { texinfoInline } from './texinfo-inline.ts';

const maxSet = 5000;
const maxValue = 1000;

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const sections = words(
  'top part chapter section subsection subsubsection unnumbered unnumberedsec unnumberedsubsec ' +
    'unnumberedsubsubsec appendix appendixsec appendixsection appendixsubsec appendixsubsubsec chapheading ' +
    'majorheading heading subheading subsubheading centerchap',
);
// Output for one format, menus, and text that is not printed.
const dropped = words(
  'tex html docbook xml latex ignore macro rmacro linemacro menu detailmenu ifhtml ifdocbook ifxml ifnotinfo ' +
    'iflatex displaymath titlefont',
);
const verbatim = words(
  'example smallexample lisp smalllisp verbatim display smalldisplay format smallformat',
);
const blocks = words(
  'table ftable vtable itemize enumerate multitable quotation smallquotation cartouche float group flushleft ' +
    'flushright copying titlepage documentdescription raggedright indentedblock smallindentedblock ifinfo iftex ' +
    'ifplaintext ifset ifclear ifnottex ifnothtml ifnotplaintext ifnotdocbook ifnotxml ifcommanddefined',
);
const ignored = words(
  'c comment setfilename setchapternewpage page contents shortcontents summarycontents printindex need sp noindent ' +
    'indent exdent syncodeindex synindex defcodeindex defindex documentencoding documentlanguage afourpaper ' +
    'smallbook finalout paragraphindent footnotestyle kbdinputstyle allowcodebreaks headings everyheading ' +
    'everyfooting evenheading oddheading evenfooting oddfooting vskip insertcopying alias clear unmacro clickstyle ' +
    'novalidate tab xrefautomaticsectiontitle frenchspacing fonttextsize pagesizes raisesections lowersections ' +
    'firstparagraphindent validatemenus',
);
const definitions =
  /^def(?:fn|un|mac|spec|vr|ar|opt|typefn|typefun|typevr|typevar|cv|ivar|typecv|typeivar|op|method|typeop|typemethod|tp)x?$/;

/** Reads Texinfo line by line (the Texinfo manual, GNU): commands at the start of a line, words with inline ones. */
export class TexinfoReader {
  settitle: string | undefined;
  readonly titles: string[] = [];
  subtitle: string | undefined;
  description: string | undefined;
  category: string | undefined;
  copyright: string | undefined;
  readonly authors: string[] = [];
  readonly concepts = new Set<string>();
  readonly definitions = new Set<string>();
  readonly nodes = new Set<string>();
  readonly #text: StructuredText;
  readonly #prose: ProseBuffer;
  readonly #values = new Map<string, string>();
  /** The dropped block, and its nesting in itself. */
  #dropping: string | undefined;
  #depth = 0;
  #directory = false;

  constructor(text: StructuredText) {
    this.#text = text;
    this.#prose = new ProseBuffer(text);
  }

  read(lines: readonly string[]): void {
    // TeX reads a first line of its own.
    const start = /^\\input\s/.test(lines[0] ?? '') ? 1 : 0;
    for (let at = start; at < lines.length; at++) {
      const line = lines[at] ?? '';
      if (line.startsWith('@bye')) break;
      this.#line(line);
    }
    this.#prose.end();
  }

  #inline(source: string): string {
    return texinfoInline(source.slice(0, 64 * 1024), this.#values, this.#text.references);
  }

  #line(line: string): void {
    const parts = /^\s*@([a-zA-Z]+)(?![{\w])[ \t]*(.*)$/.exec(line);
    if (this.#dropping !== undefined) {
      if (parts?.[1] === this.#dropping) this.#depth++;
      else if (parts?.[1] === 'end' && parts[2]?.trim() === this.#dropping && --this.#depth === 0)
        this.#dropping = undefined;
      return;
    }
    if (this.#directory) {
      this.#directoryLine(line, parts?.[1]);
      return;
    }
    if (parts !== null) {
      this.#command(parts[1] ?? '', parts[2] ?? '', line);
      return;
    }
    if (line.trim() === '') {
      this.#prose.lineBreak(true);
      return;
    }
    const words = this.#inline(line);
    if (/^\s*Copyright/.test(words)) this.copyright ??= oneLine(words);
    this.#prose.line(words);
  }

  /** `* Bison: (bison).  GNU parser generator.` */
  #directoryLine(line: string, command: string | undefined): void {
    if (command === 'end') this.#directory = false;
    else
      this.description ??= /^\*\s[^:]{1,200}:\s*\([^)]{1,200}\)[^.]{0,200}\.\s+(\S.{0,300})/.exec(line)?.[1];
  }

  #command(name: string, rest: string, line: string): void {
    if (dropped.has(name)) {
      this.#dropping = name;
      this.#depth = 1;
      return;
    }
    if (sections.has(name)) {
      this.#prose.end();
      this.#prose.fill(true);
      this.#text.heading(this.#inline(rest));
      return;
    }
    if (definitions.test(name)) {
      this.#define(rest);
      return;
    }
    switch (name) {
      case 'settitle':
        this.settitle ??= oneLine(this.#inline(rest));
        return;
      case 'title':
      case 'subtitle':
        if (name === 'title') this.titles.push(oneLine(this.#inline(rest)));
        else this.subtitle ??= oneLine(this.#inline(rest));
        return;
      case 'author':
        if (this.authors.length < 64)
          this.authors.push(
            ...this.#inline(rest)
              .split(/,\s+(?:and\s+)?|\s+and\s+/, 16)
              .map((each) => oneLine(each).replace(/^and /, '')),
          );
        return;
      case 'dircategory':
        this.category ??= oneLine(this.#inline(rest));
        return;
      case 'direntry':
        this.#directory = true;
        return;
      case 'node':
        this.#note(this.nodes, rest.split(',', 1)[0] ?? '');
        this.#prose.end();
        return;
      case 'cindex':
      case 'kindex':
        this.#note(this.concepts, rest);
        return;
      case 'findex':
      case 'vindex':
      case 'pindex':
      case 'tindex':
        this.#note(this.definitions, rest);
        return;
      case 'include':
      case 'verbatiminclude':
        if (rest.trim() !== '') this.#text.references.add(this.#inline(rest).trim(), true);
        return;
      case 'set': {
        const parts = /^(\S+)\s*(.*)$/.exec(rest);
        if (parts !== null && this.#values.size < maxSet)
          this.#values.set(parts[1] ?? '', beginning(this.#inline(parts[2] ?? ''), maxValue));
        return;
      }
      case 'item':
      case 'itemx':
        this.#prose.end();
        this.#prose.line(this.#inline(rest));
        return;
      case 'center':
        this.#prose.end();
        this.#prose.line(this.#inline(rest));
        this.#prose.end();
        return;
      case 'end':
        this.#prose.end();
        if (verbatim.has(rest.trim())) this.#prose.fill(true);
        return;
      default:
        this.#other(name, rest, line);
    }
  }

  #other(name: string, rest: string, line: string): void {
    if (ignored.has(name)) return;
    if (verbatim.has(name)) {
      this.#prose.end();
      this.#prose.fill(false);
      return;
    }
    // Environments begin a block; text after an unknown command is text.
    if (blocks.has(name)) {
      this.#prose.end();
      return;
    }
    this.#prose.line(this.#inline(/^[A-Z]|^\w+$/.test(name) ? line : rest));
  }

  /** `@deffn Command forward-word count`: its kind, its name, its arguments. */
  #define(rest: string): void {
    this.#prose.end();
    const words = oneLine(this.#inline(rest));
    this.#note(
      this.definitions,
      /^\{/.test(rest)
        ? oneLine(this.#inline(rest.replace(/^\{[^}]*\}/, '')))
        : words.replace(/^\p{Lu}\S*\s+(?=\S)/u, ''),
    );
    this.#text.paragraph(words);
  }

  #note(set: Set<string>, source: string): void {
    const words = oneLine(this.#inline(source.slice(0, 500)));
    if (words !== '' && set.size < maxSet) set.add(words);
  }
}
