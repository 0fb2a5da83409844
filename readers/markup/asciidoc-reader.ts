import { oneLine, ReferenceCollector, type StructuredText } from '../text/index.ts';
import { asciidocInline } from './asciidoc-inline.ts';

const maxAttributes = 1000;
const maxOptions = 1000;
const maxAbstract = 16 * 1024;

const delimiter = /^(?:(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|\/{4,})|(--)|(```+)\S*|([|,:!]={3,}))\s*$/;
const sectionTitle = /^(={1,6}|#{1,6})\s+(\S.*?)(?:\s+\1)?\s*$/;
const attributeLine = /^:!?([A-Za-z0-9_][\w-]{0,60})!?:(?:\s+(.*))?$/;
const label = /^(\s*)(\S.{0,500}?)(?:::{1,3}|;;)(?:\s+(.*))?$/;
const listMark = /^\s*(?:[*•-]{1,5}|\.{1,5}|\d{1,5}[.)]|[a-zA-Z][.)]|<(?:\d{1,3}|\.)>)\s+(?:\[[ xX*]\]\s+)?/;

/** Reads AsciiDoc (docs.asciidoctor.org, and the older two-line titles of asciidoc(1)) line by line. */
export class AsciidocReader {
  readonly attributes = new Map<string, string>();
  readonly authors: string[] = [];
  readonly options = new Set<string>();
  readonly pages = new Set<string>();
  description: string | undefined;
  date: string | undefined;
  version: string | undefined;
  abstract = '';
  readonly #text: StructuredText;
  #lines: readonly string[] = [];
  #paragraph: string[] = [];
  /** The delimiter of the current verbatim block, and whether it is dropped. */
  #verbatim: { readonly end: string; readonly lines: string[]; readonly drop: boolean } | undefined;
  #table: string | undefined;
  #style = '';
  /** The end of the abstract: this paragraph, this section, or this delimiter. */
  #abstractUntil: string | undefined;
  #nameSection = false;

  constructor(text: StructuredText) {
    this.#text = text;
  }

  read(lines: readonly string[]): void {
    this.#lines = lines;
    let at = this.#header();
    while (at < lines.length) at = this.#line(at);
    this.#endParagraph();
    if (this.#verbatim !== undefined) this.#endVerbatim();
  }

  #inline(source: string): string {
    return asciidocInline(source, this.attributes, { references: this.#text.references, pages: this.pages });
  }

  /** Title, author line, revision line and attributes, up to a blank line. */
  #header(): number {
    let at = 0;
    const line = () => (this.#lines[at] ?? '').trimEnd();
    const skip = () => {
      while (at < this.#lines.length && (line() === '' || /^\/\/(?!\/\/)/.test(line()))) at++;
    };
    skip();
    while (this.#attribute(line())) at++;
    skip();
    const one = /^[=#]\s+(\S.*)$/.exec(line());
    const two = one === null && twoLineLevel(line(), this.#lines[at + 1] ?? '') === 0;
    if (one === null && !two) return at;
    this.#text.title = oneLine(this.#inline(one?.[1] ?? line()));
    this.#text.heading(this.#text.title);
    at += two ? 2 : 1;
    const people = line();
    if (
      /^\p{L}[\p{L}\p{M}.'’ _-]{1,100}(?:<[^<>]{1,200}>)?(?:;.*)?$/u.test(people) &&
      !sectionTitle.test(people)
    ) {
      for (const person of people.split(';', 32)) this.authors.push(oneLine(person).replaceAll('_', ' '));
      at++;
      const revision =
        /^v?([\d.][\w.-]*)?,?\s*((?:\d{4}-\d\d-\d\d|[A-Z][a-z]+ \d{1,2}, \d{4}|\d{1,2} [A-Z][a-z]+ \d{4}))?(?::\s.*)?$/.exec(
          line(),
        );
      if (revision !== null && line() !== '') {
        this.version = revision[1];
        this.date = revision[2];
        at++;
      }
    }
    while (at < this.#lines.length && (this.#attribute(line()) || /^\/\//.test(line()))) at++;
    const author = this.attributes.get('author') ?? this.attributes.get('authors');
    if (this.authors.length === 0 && author !== undefined) this.authors.push(...author.split(';', 32));
    return at;
  }

  #attribute(line: string): boolean {
    const parts = attributeLine.exec(line.slice(0, 4000));
    if (parts === null) return false;
    if (this.attributes.size >= maxAttributes) return true;
    // A link in a value counts where the value is used.
    const links = { references: new ReferenceCollector(), pages: new Set<string>() };
    const value = asciidocInline((parts[2] ?? '').replace(/\s*\\$/, ''), this.attributes, links);
    this.attributes.set((parts[1] ?? '').toLowerCase(), value.slice(0, 1000));
    return true;
  }

  #line(at: number): number {
    const line = (this.#lines[at] ?? '').trimEnd();
    if (this.#verbatim !== undefined) {
      if (line === this.#verbatim.end) this.#endVerbatim();
      else this.#verbatim.lines.push(line);
      return at + 1;
    }
    if (line === '' || line === '+' || line === '<<<' || line === "'''") this.#endParagraph();
    else if (/^\/\/(?!\/\/)/.test(line)) return at + 1;
    else if (this.#title(line, at)) return at + 2;
    else if (delimiter.test(line)) this.#delimiter(line);
    else this.#words(line);
    return at + 1;
  }

  /** A title of two lines: words and a line of one mark below, of about the same length. */
  #title(line: string, at: number): boolean {
    if (this.#paragraph.length > 0) return false;
    if (twoLineLevel(line, (this.#lines[at + 1] ?? '').trimEnd()) === undefined) return false;
    this.#heading(line);
    return true;
  }

  #heading(source: string): void {
    this.#endParagraph();
    const words = oneLine(this.#inline(source));
    this.#abstractUntil = this.#style === 'abstract' ? 'section' : undefined;
    this.#style = '';
    this.#nameSection = /^(?:NAME|Name)$/.test(words);
    this.#text.heading(words);
  }

  #delimiter(line: string): void {
    this.#endParagraph();
    const mark = line.charAt(0);
    if (this.#abstractUntil === line) this.#abstractUntil = undefined;
    else if (this.#style === 'abstract') this.#abstractUntil = line;
    if (/^[|,:!]=/.test(line)) this.#table = this.#table === undefined ? line : undefined;
    // Examples, sidebars, quotations and open blocks hold ordinary text.
    else if (line !== '--' && '-.+/`'.includes(mark))
      this.#verbatim = {
        end: mark === '`' ? line.replace(/[^`].*$/, '') : line,
        lines: [],
        drop: mark === '/' || mark === '+' || this.#style.startsWith('stem'),
      };
    this.#style = '';
  }

  #endVerbatim(): void {
    const block = this.#verbatim;
    this.#verbatim = undefined;
    if (block !== undefined && !block.drop) this.#text.lines(block.lines.join('\n'));
  }

  #words(line: string): void {
    const title = sectionTitle.exec(line.slice(0, 2000));
    if (title !== null && this.#paragraph.length === 0) {
      this.#heading(title[2] ?? '');
      return;
    }
    if (this.#attribute(line)) return;
    if (/^(?:ifn?def|ifeval|endif|toc|ifdef)::/.test(line)) return;
    const include = /^include::([^[\s]{1,1000})\[/.exec(line)?.[1];
    if (include !== undefined) {
      this.#text.references.add(this.#inline(include), true);
      return;
    }
    if (/^\[.*\]$/.test(line.slice(0, 2000)) && this.#paragraph.length === 0) {
      this.#style = /^\[\[/.test(line) ? this.#style : line.slice(1, -1).toLowerCase();
      return;
    }
    const picture = /^(?:image|video|audio)::([^[\s]{1,1000})\[([^\]]{0,1000})/.exec(line);
    if (picture !== null) {
      this.#text.paragraph(oneLine((picture[2] ?? '').split(',', 1)[0] ?? ''));
      return;
    }
    if (/^\.[^\s.]/.test(line)) {
      this.#endParagraph();
      this.#text.paragraph(this.#inline(line.slice(1)));
      return;
    }
    if (this.#table !== undefined) {
      this.#text.row(this.#inline(line.replace(/(?:^|\s)[\d.+*^<>a-z]{0,8}[|!]/g, ' ')));
      return;
    }
    const term = label.exec(line.slice(0, 4000));
    if (term !== null && !/^(?:https?|ftp):/.test(term[2] ?? '')) {
      this.#term(term[2] ?? '', term[3] ?? '');
      return;
    }
    if (listMark.test(line)) {
      this.#endParagraph();
      this.#paragraph.push(line.replace(listMark, ''));
    } else this.#paragraph.push(line);
  }

  #term(source: string, rest: string): void {
    this.#endParagraph();
    const words = oneLine(this.#inline(source));
    if (/^-{1,2}[\w?[]/.test(words) && this.options.size < maxOptions) this.options.add(words);
    this.#text.paragraph(words, 'item');
    if (rest !== '') this.#paragraph.push(rest);
  }

  #endParagraph(): void {
    if (this.#paragraph.length === 0) return;
    const [first = ''] = this.#paragraph;
    const block = this.#paragraph.join('\n');
    this.#paragraph = [];
    const literal = /^\s+\S/.test(first) && !/^(?:source|quote|verse)/.test(this.#style);
    const words = this.#inline(block);
    if (this.#style === 'abstract') this.#abstractUntil ??= 'paragraph';
    if (this.#abstractUntil !== undefined && this.abstract.length < maxAbstract)
      this.abstract += (this.abstract === '' ? '' : '\n') + oneLine(words);
    if (this.#nameSection)
      this.description ??= /^\S.{0,500}?\s(?:-|—)\s+(\S.{0,1000})$/s.exec(oneLine(words))?.[1];
    if (literal || /^(?:source|listing|literal|verse)/.test(this.#style)) this.#text.lines(words);
    else this.#text.paragraph(words);
    if (this.#abstractUntil === 'paragraph') this.#abstractUntil = undefined;
    this.#style = '';
  }
}

const levels = '=-~^+';

/** The level of a title by the line below it, or undefined when that is not an underline (asciidoc(1) 11). */
function twoLineLevel(line: string, below: string): number | undefined {
  const mark = below.charAt(0);
  const level = mark === '' ? -1 : levels.indexOf(mark);
  if (level < 0 || below.length < 3 || below.length > 300 || !/^(.)\1*$/.test(below)) return undefined;
  if (!/[\p{L}\p{N}]/u.test(line) || /^[=#.[:*-]/.test(line) || /^\s/.test(line)) return undefined;
  return Math.abs(line.length - below.length) <= 3 ? level : undefined;
}
