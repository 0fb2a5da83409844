import { inlineText, linkLabel, readFrontMatter } from '../../../readers/markup/index.ts';
import { decodeText, oneLine, StructuredText, withoutEditorMarks } from '../../../readers/text/index.ts';
import { type AnchoredHeading, Attributes, encodeAnchors, headingSlug } from '../../../soif/index.ts';
import type { SyncSummariser } from '../summariser.ts';
import { frontMatterFields } from './front-matter-fields.ts';

const maxDefinitions = 10_000;

/** Markdown: front matter, headings, links and text; reads CommonMark's shapes line by line. */
export const summariseMarkdown: SyncSummariser = (document, options) => {
  const lines = decodeText(document.bytes, document.charset).split(/\r\n?|\n/);
  const front = readFrontMatter(lines);
  const text = new StructuredText(options);
  const reader = new MarkdownReader(lines, front.bodyLine, text);
  reader.read();
  const { title, fields } = frontMatterFields(front);
  text.title = title ?? reader.firstTitle;
  const extract = text.extract(document, fields);
  if (!shownWithSlugs.test(document.url)) return extract;
  const slugs = encodeAnchors(slugged(text.headings));
  return slugs === ''
    ? extract
    : { ...extract, fields: [...extract.fields, [Attributes.headingAnchors, slugs]] };
};

/** Addresses at which a site shows Markdown as a page whose headings have slugs; elsewhere it is shown as it is written. */
const shownWithSlugs =
  /^https?:\/\/(?:github|gitlab|codeberg|gitea|gitlab\.[\w.-]+)\.\w+\/[^?#]+?\/(?:blob|src)\/[^?#]+$/i;

/** Headings with their slugs; a number makes the later ones of equal headings different. */
function slugged(headings: readonly string[]): AnchoredHeading[] {
  const counts = new Map<string, number>();
  return headings.map((heading) => {
    const slug = headingSlug(heading);
    const before = counts.get(slug) ?? 0;
    counts.set(slug, before + 1);
    return { heading, anchor: before === 0 ? slug : `${slug}-${before}` };
  });
}

/** Add Markdown without front matter, such as a cell of a notebook; its first heading of the first level. */
export function addMarkdown(source: string, text: StructuredText): string | undefined {
  const reader = new MarkdownReader(source.split(/\r\n?|\n/), 0, text);
  reader.read();
  return reader.firstTitle;
}

const fence = /^\s{0,12}(`{3,}|~{3,})/;
const atxHeading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const definition = /^ {0,3}\[([^\]^][^\]]{0,998})\]:\s*(?:<([^<>]*)>|(\S+))/;
const htmlHeading = /^(\s{0,3}(?:<(?!!|h[1-6])[^<>]{0,400}>\s{0,20}){0,5})<h([1-6])(?:\s[^<>]{0,400})?>/i;
const maxHeadingLines = 50;
/** Pictures that are links in a heading: badges. */
const badges =
  /\[!\[[^\]]{0,400}\](?:\([^()\s]{0,2000}(?:\s[^()]{0,400})?\)|\[[^\]]{0,400}\])\](?:\([^()\s]{0,2000}\)|\[[^\]]{0,400}\])|<a\b[^<>]{0,2000}>\s{0,20}<img\b[^<>]{0,2000}>\s{0,20}<\/a>/gi;
/** Identifier and classes that Pandoc and kramdown allow behind a heading. */
const attributeList = /[ \t]\{:?[ \t]*[#.][^{}\n]{0,200}\}[ \t]*$/;
// Programs of other dialects take a number sign before a capital for a heading.
const tightHeading = /^#{1,2}\p{Lu}/u;
const listItem = /^\s*(?:[-+*]|\d{1,9}[.)])(?:\s+(?:\[[ xX]\]\s+)?|$)/;

class MarkdownReader {
  /** The first heading of the first level. */
  firstTitle: string | undefined;
  readonly #lines: readonly string[];
  readonly #text: StructuredText;
  readonly #definitions = new Map<string, string>();
  readonly #bodyLine: number;
  #paragraph: string[] = [];
  #code: string[] = [];
  #inList = false;

  constructor(lines: readonly string[], bodyLine: number, text: StructuredText) {
    this.#lines = lines;
    this.#bodyLine = bodyLine;
    this.#text = text;
    this.#define();
  }

  read(): void {
    let closing: string | undefined;
    let comment = false;
    for (let at = this.#bodyLine; at < this.#lines.length; at++) {
      const line = (this.#lines[at] ?? '').replace(/^(?: {0,3}> ?)+/, '');
      if (closing !== undefined) {
        if (line.trim().startsWith(closing) && /^[\s`~]*$/.test(line)) closing = undefined;
        else this.#code.push(line);
        if (closing === undefined) this.#endBlock();
        continue;
      }
      if (comment || line.trimStart().startsWith('<!--')) {
        this.#endBlock();
        comment = !line.includes('-->');
        continue;
      }
      const opening = fence.exec(line)?.[1];
      const last = this.#htmlHeading(line, at);
      if (opening !== undefined) {
        this.#endBlock();
        closing = opening;
      } else if (last === undefined) this.#line(line);
      else at = last;
    }
    this.#endBlock();
    if (this.#text.headings.length === 0)
      this.firstTitle = oneLine(
        this.#lines
          .slice(this.#bodyLine)
          .find((line) => tightHeading.test(line))
          ?.replace(/^#+/, '') ?? '',
      );
  }

  #line(line: string): void {
    if (line.trim() === '') {
      // Blank lines within indented code do not end it.
      if (this.#code.length === 0) this.#endBlock();
      return;
    }
    const indented = /^(?: {4}|\t)/.test(line);
    if (indented && this.#paragraph.length === 0 && !this.#inList) {
      this.#code.push(line);
      return;
    }
    if (this.#code.length > 0) this.#endBlock();
    if (!indented && !/^\s/.test(line)) this.#inList = false;

    const heading = atxHeading.exec(line);
    if (heading !== null) {
      this.#heading(heading[2] ?? '', heading[1]?.length ?? 1);
      return;
    }
    if (this.#paragraph.length > 0 && /^ {0,3}(?:=+|-+)\s*$/.test(line)) {
      const source = this.#paragraph.join('\n');
      this.#paragraph = [];
      this.#heading(source, line.includes('=') ? 1 : 2);
      return;
    }
    if (/^(?:-{3,}|\*{3,}|_{3,})$/.test(line.replace(/\s+/g, ''))) {
      this.#endBlock();
      return;
    }
    if (definition.test(line)) {
      this.#endBlock();
      return;
    }
    if (/^\s*\|/.test(line)) {
      this.#tableRow(line);
      return;
    }
    const item = listItem.exec(line);
    if (item !== null) {
      this.#endBlock();
      this.#inList = true;
      this.#paragraph.push(line.slice(item[0].length));
      return;
    }
    this.#paragraph.push(line);
  }

  /** Reads a heading in HTML that begins on a line; returns its last line. */
  #htmlHeading(line: string, at: number): number | undefined {
    const [opening, before = '', level = ''] =
      line.includes('<h') || line.includes('<H') ? (htmlHeading.exec(line) ?? []) : [];
    if (opening === undefined) return undefined;
    const source = [line.slice(opening.length), ...this.#lines.slice(at + 1, at + maxHeadingLines)].join(
      '\n',
    );
    const end = source.search(new RegExp(`</h${level}\\s*>`, 'i'));
    if (end < 0) return undefined;
    if (before.trim() !== '') this.#paragraph.push(before);
    const inside = source.slice(0, end);
    this.#heading(inside, Number(level));
    const last = at + inside.split('\n').length - 1;
    const rest = source.slice(source.indexOf('>', end) + 1).split('\n', 1)[0] ?? '';
    if (rest.trim() !== '') this.#line(rest);
    return last;
  }

  #heading(source: string, level: number): void {
    this.#endBlock();
    const bare = source.replace(attributeList, '');
    const whole = oneLine(this.#inline(withoutEditorMarks(bare).replace(/(?:^|[ \t])#+[ \t]*$/, '')));
    const worded = bare.replace(badges, ' ');
    const text =
      worded === bare ? whole : oneLine(this.#inline(worded.replace(/[ \t]#+[ \t]*$/, ''))) || whole;
    if (text === '') return;
    if (level === 1) this.firstTitle ??= text;
    this.#text.heading(text, level);
  }

  #tableRow(line: string): void {
    this.#endBlock();
    if (/^[\s|:-]+$/.test(line)) return;
    this.#text.row(this.#inline(line.replace(/(^|[^\\])\|/g, '$1 ').replaceAll('\\|', '|')));
  }

  #endBlock(): void {
    if (this.#code.length > 0) {
      this.#text.lines(this.#code.join('\n'));
      this.#code = [];
    }
    if (this.#paragraph.length === 0) return;
    const text = this.#inline(this.#paragraph.join('\n'));
    this.#paragraph = [];
    this.#text.paragraph(text, this.#inList ? 'item' : 'paragraph');
  }

  #inline(source: string): string {
    return inlineText(source, this.#definitions, this.#text.references);
  }

  // Definitions may follow their use, so they are read first; each is a link by itself.
  #define(): void {
    let closing: string | undefined;
    for (let at = this.#bodyLine; at < this.#lines.length; at++) {
      const line = this.#lines[at] ?? '';
      const marks = fence.exec(line)?.[1];
      if (closing !== undefined || marks !== undefined) {
        if (closing === undefined) closing = marks;
        else if (marks?.startsWith(closing) && /^[\s`~]*$/.test(line)) closing = undefined;
        continue;
      }
      const match = definition.exec(line);
      const url = match?.[2] ?? match?.[3];
      if (match === null || url === undefined || this.#definitions.size >= maxDefinitions) continue;
      const label = linkLabel(match[1] ?? '');
      if (label === '' || this.#definitions.has(label)) continue;
      this.#definitions.set(label, url);
      this.#text.references.add(url, true);
    }
  }
}
