import { oneLine, type StructuredText } from '../text/index.ts';
import { directiveKind } from './rst-directives.ts';
import { rstInline } from './rst-inline.ts';

const maxDepth = 16;
const maxInfo = 200;
const maxNames = 5000;

const adornment = /^([!-/:-@[-`{-~])\1*\s*$/;
const field = /^:([A-Za-z][\w -]{0,60}):(?:\s+(.*))?$/;
const directive = /^\.\. +(?:\|([^|]{1,200})\| +)?([\w:+.-]{1,80}?) ?::(?:\s+(.*))?$/;
const target = /^\.\. +_(?:`([^`]{1,400})`|((?:[^:\\]|\\.){0,400})):(?:\s+(\S.*))?$/;
const note = /^\.\. +\[[^\]]{1,80}\](?:\s+(.*))?$/;
const listMark = /^(?:[-*+•‣]|\(?(?:\d{1,6}|[A-Za-z]|[ivxlc]{1,8}|#)[.)])(?:\s+|$)/;

/** Reads reStructuredText line by line; blocks within directives and lists are read the same way, to a bound. */
export class RstReader {
  /** Bibliographic fields and `meta` by lower-case name. */
  readonly info = new Map<string, string[]>();
  readonly definitions = new Set<string>();
  readonly keywords = new Set<string>();
  readonly #text: StructuredText;
  readonly #suffix: string;
  readonly #substitutions = new Map<string, string>();
  #body = false;

  /** `suffix` ends the names of the documents that a `toctree` lists. */
  constructor(text: StructuredText, suffix: string) {
    this.#text = text;
    this.#suffix = suffix;
  }

  read(lines: readonly string[]): void {
    this.#substitute(lines);
    this.#blocks(lines, 0);
  }

  // Substitutions may be defined after their use.
  #substitute(lines: readonly string[]): void {
    for (const line of lines) {
      if (!line.startsWith('.. |')) continue;
      const parts = directive.exec(line);
      if (parts?.[1] !== undefined && parts[2] === 'replace' && this.#substitutions.size < maxNames)
        this.#substitutions.set(parts[1], oneLine((parts[3] ?? '').slice(0, 1000)));
    }
  }

  #inline(source: string): string {
    return rstInline(source, this.#text.references, this.#substitutions);
  }

  #blocks(lines: readonly string[], depth: number): void {
    let at = 0;
    while (at < lines.length) {
      const line = lines[at] ?? '';
      if (line.trim() === '') at++;
      else if (/^\.\.(?:\s|$)/.test(line)) at = this.#explicit(lines, at, depth);
      else if (/^__ /.test(line)) {
        this.#text.references.add(line.slice(3).trim(), true);
        at++;
      } else if (field.test(line.slice(0, 4000))) at = this.#fields(lines, at);
      else if (/^\s/.test(line)) {
        const end = indentedEnd(lines, at);
        if (depth < maxDepth) this.#blocks(dedented(lines.slice(at, end)), depth + 1);
        else this.#text.lines(lines.slice(at, end).join('\n'));
        at = end;
      } else if (depth === 0 && this.#heading(lines, at)) at += adornment.test(line) ? 3 : 2;
      else at = this.#paragraph(lines, at);
    }
  }

  /** A title with a line below it, or one below and one above. */
  #heading(lines: readonly string[], at: number): boolean {
    const [line = '', next = '', last = ''] = lines.slice(at, at + 3).map((each) => each.trimEnd());
    if (adornment.test(line)) {
      if (line.length < 3 || line !== last || next.trim() === '' || next.length > line.length + 2)
        return false;
      this.#title(next);
      return true;
    }
    if (!adornment.test(next) || next.length < Math.min(line.length, 4) || line.length > 500) return false;
    this.#title(line);
    return true;
  }

  #title(source: string): void {
    const words = oneLine(this.#inline(source));
    this.#text.title ??= words;
    this.#text.heading(words);
  }

  /** Fields at the head of the document are bibliographic; later ones describe the text before them. */
  #fields(lines: readonly string[], from: number): number {
    let at = from;
    for (;;) {
      const parts = field.exec((lines[at] ?? '').slice(0, 4000));
      if (parts === null) return at;
      const end = indentedEnd(lines, at + 1);
      const rest = lines.slice(at + 1, end);
      const words = oneLine(this.#inline([parts[2] ?? '', ...rest].join('\n')));
      if (this.#body) this.#text.paragraph(`${this.#inline(parts[1] ?? '')} ${words}`);
      else this.#know(parts[1] ?? '', words);
      at = Math.max(end, at + 1);
    }
  }

  #know(name: string, value: string): void {
    const key = name.toLowerCase();
    const list = this.info.get(key);
    if (value === '') return;
    if (list !== undefined) list.push(value);
    else if (this.info.size < maxInfo) this.info.set(key, [value]);
  }

  #paragraph(lines: readonly string[], from: number): number {
    const first = lines[from] ?? '';
    this.#body = true;
    if (/^(?:\+[-=+]{3,}|={3,} +=)/.test(first)) return this.#table(lines, from, first.startsWith('='));
    // A definition's explanation and a list item's further lines are indented blocks of their own.
    const hanging = /^\s/.test(lines[from + 1] ?? '');
    let end = from + 1;
    for (let line = lines[end]; line !== undefined && line.trim() !== ''; line = lines[++end])
      if (/^\s/.test(line) !== hanging || (!hanging && listMark.test(line))) break;
    if (adornment.test(first) && end === from + 1) return end;
    const block = lines.slice(from, end);
    const literal = block.at(-1)?.trimEnd().endsWith('::') === true;
    let source = block.join('\n').replace(listMark, '');
    if (source.startsWith('>>> ')) {
      this.#text.lines(source);
      return end;
    }
    if (literal) source = source.replace(/\s*::\s*$/, (mark) => (/^\s/.test(mark) ? '' : ':'));
    if (/^\| /.test(first)) this.#text.lines(this.#inline(source.replace(/^\| ?/gm, '')));
    else this.#text.paragraph(this.#inline(source), listMark.test(first) ? 'item' : 'paragraph');
    return literal ? this.#literal(lines, end) : end;
  }

  /** The indented block, or the quoted one, that follows `::`. */
  #literal(lines: readonly string[], from: number): number {
    let at = from;
    while (at < lines.length && (lines[at] ?? '').trim() === '') at++;
    const end = indentedEnd(lines, at);
    if (end > at) this.#text.lines(lines.slice(at, end).join('\n'));
    return Math.max(end, from);
  }

  #table(lines: readonly string[], from: number, simple: boolean): number {
    let at = from;
    let rules = 0;
    for (; at < lines.length; at++) {
      const line = lines[at] ?? '';
      // A simple table ends with its third rule, or its second when it has no head; blank lines may divide its rows.
      if (
        line.trim() === '' &&
        (!simple || (rules >= 2 && !/^(?:\s|[=\w`*:|]).*\S/.test(lines[at + 1] ?? '')))
      )
        break;
      if (/^[-=+ ]+$/.test(line)) {
        if (line.startsWith('=')) rules++;
        if (simple && rules >= 3) return at + 1;
        if (simple && rules === 2 && (lines[at + 1] ?? '').trim() === '') return at + 1;
        continue;
      }
      this.#text.row(this.#inline(simple ? line : line.replace(/\|/g, ' ')));
    }
    return Math.max(at, from + 1);
  }

  /** A block after two dots: a directive, a link's target, a footnote, else a comment. */
  #explicit(lines: readonly string[], at: number, depth: number): number {
    const line = (lines[at] ?? '').slice(0, 8000);
    const end = indentedEnd(lines, at + 1);
    const inner = lines.slice(at + 1, end);
    const link = target.exec(line);
    if (link !== null) {
      const url = [link[3] ?? '', ...inner.slice(0, 4)].join('').replace(/\s+/g, '');
      if (url !== '' && !/_$/.test(url)) this.#text.references.add(url, true);
      return end;
    }
    const parts = directive.exec(line);
    if (parts !== null) {
      if (parts[1] === undefined) this.#directive(parts[2] ?? '', parts[3] ?? '', dedented(inner), depth);
      return end;
    }
    const footnote = note.exec(line);
    if (footnote !== null) this.#text.paragraph(this.#inline([footnote[1] ?? '', ...inner].join('\n')));
    return end;
  }

  #directive(name: string, argument: string, inner: readonly string[], depth: number): void {
    let start = 0;
    const options = new Map<string, string>();
    for (let line = inner[start]; line !== undefined; line = inner[++start]) {
      const option = field.exec(line.slice(0, 4000));
      if (option === null) break;
      options.set((option[1] ?? '').toLowerCase(), option[2] ?? '');
    }
    const content = inner.slice(start);
    const within = () => depth < maxDepth && this.#blocks(content, depth + 1);
    switch (directiveKind(name)) {
      case 'silent':
        if (name === 'sectionauthor' || name === 'codeauthor') this.#know('author', oneLine(argument));
        return;
      case 'title':
        this.#text.title = oneLine(argument);
        return;
      case 'code':
        if (name === 'csv-table') this.#text.paragraph(argument);
        this.#text.lines(content.join('\n'));
        return;
      case 'picture':
        this.#text.paragraph(options.get('alt') ?? '');
        return void within();
      case 'contents':
        for (const entry of content) this.#entry(entry.trim());
        return;
      case 'include':
        this.#text.references.add(argument.trim(), true);
        return;
      case 'meta':
        for (const [key, value] of options) this.#know(key.replace(/\s.*$/, ''), oneLine(value));
        return;
      case 'index':
        for (const entry of [argument, ...content]) this.#indexEntry(entry);
        return;
      case 'definition':
        for (const signature of [argument, ...continued(inner)])
          if (oneLine(signature) !== '' && this.definitions.size < maxNames)
            this.definitions.add(oneLine(signature.slice(0, 500)));
        this.#text.paragraph(argument);
        return void within();
      default:
        this.#body = true;
        // The version of `versionadded` and the like is not a sentence.
        if (!/^(?:only|container|compound|list-table|hlist|class|tab)/.test(name))
          this.#text.paragraph(this.#inline(argument));
        return void within();
    }
  }

  #entry(entry: string): void {
    const path = /<([^<>]+)>$/.exec(entry)?.[1] ?? entry;
    if (path === '' || path === 'self' || path.includes('*')) return;
    if (/^\w+:/.test(path) || path.endsWith(this.#suffix)) this.#text.references.add(path, true);
    // Sphinx publishes its sources as `name.rst.txt` and accepts `name.rst` for `name`.
    else this.#text.references.add(path.replace(/\.rst$/, '') + this.#suffix, true);
  }

  #indexEntry(entry: string): void {
    const words = entry
      .trim()
      .replace(
        /^!|^(?:single|pair|triple|module|keyword|operator|object|exception|statement|builtin|see|seealso|name)\s*:/,
        '',
      );
    for (const part of words.split(/[;,]/, 8)) {
      const word = oneLine(part.replace(/^\s*!/, '')).slice(0, 100);
      if (word !== '' && this.keywords.size < 1000) this.keywords.add(word);
    }
  }
}

/** Further signatures of a definition are below the first at the start of its block, one on each line. */
function continued(inner: readonly string[]): readonly string[] {
  const end = inner.findIndex((line) => line.trim() === '');
  const lines = end < 0 ? [] : inner.slice(0, end).map((line) => line.trim());
  return lines.every((line) => /^[\w.]+\(|^\w+$/.test(line)) ? lines : [];
}

/** The first line from `at` on that is neither blank nor indented; blank lines at the end belong to the block. */
function indentedEnd(lines: readonly string[], at: number): number {
  let end = at;
  while (end < lines.length) {
    const line = lines[end] ?? '';
    if (line !== '' && !/^\s/.test(line)) break;
    end++;
  }
  return end;
}

/** Lines without the white space at the beginning of all of them. */
function dedented(lines: readonly string[]): string[] {
  let min = Number.POSITIVE_INFINITY;
  for (const line of lines)
    if (line.trim() !== '') min = Math.min(min, line.length - line.trimStart().length);
  const kept = lines.map((line) => line.slice(Math.min(min, line.length)));
  const first = kept.findIndex((line) => line.trim() !== '');
  return first <= 0 ? kept : kept.slice(first);
}
