import type {
  AttributeNote,
  Extract,
  Field,
  RecognisedDocument,
  SummariseOptions,
} from '../../../readers/document/index.ts';
import {
  blocksOf,
  decodeText,
  eachOf,
  fact,
  isHeadingLine,
  isLicenceText,
  isNameHeading,
  isProse,
  isRule,
  isToolLine,
  oneLine,
  type PlainBlock,
  plainLines,
  StructuredText,
  underlined,
  withoutEditorMarks,
} from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';
import { summariseMarkdown } from './markdown.ts';
import { withKeywords } from './readme-keywords.ts';
import { summariseRestructuredText } from './restructured-text.ts';

/** Attributes of the summary of a README. */
export const readmeAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The first heading or line' },
  { name: 'Description', what: 'The first paragraph of text' },
  { name: 'Author', what: 'The person who signed it (as in Debian’s READMEs), or its named author' },
  { name: 'Date', what: 'The date of the signature' },
  { name: 'Version', what: 'The version that the title or a `Version:` line names' },
  {
    name: 'Keywords',
    what: 'Those of a `Keywords:` or `Tags:` line, else up to twelve most significant phrases and words of its text',
  },
  { name: 'Headings', what: 'The headings of sections' },
];

const sniffed = 16 * 1024;
const maxDescription = 1000;

/** README files; those in Markdown or reStructuredText are read as such. */
export const summariseReadme: SyncSummariser = (document, options) => {
  const start = decodeText(document.bytes.subarray(0, sniffed), document.charset);
  return withKeywords(read(document, start, options), start, options);
};

function read(document: RecognisedDocument, start: string, options: SummariseOptions): Extract {
  if (looksMarkdown(start)) return summariseMarkdown(document, options);
  if (/^\.\. (?:[\w-]{1,40}::|_[^:\n]{1,100}:|image::)/m.test(start))
    return summariseRestructuredText(document, options);

  const text = new StructuredText(options);
  const reader = new ReadmeReader(text);
  for (const block of blocksOf(plainLines(document))) reader.block(block);
  text.title = reader.title;
  const fields: Field[] = [
    fact('Description', reader.description),
    ...eachOf('Author', reader.authors),
    fact('Date', reader.date),
    fact('Version', reader.version),
  ];
  return text.extract(document, fields);
}

const markdownSigns = /^#{2,6} \S|^```|^\[[^\]\n]{1,200}\]: \S|\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)/gm;

/** A heading of Markdown near the beginning, or several of its other marks; one may be a comment of an example. */
function looksMarkdown(start: string): boolean {
  const beginning = start.trimStart().split('\n', 10);
  return (
    beginning.some((line) => /^#{1,6} \S/.test(line) && !isToolLine(line)) ||
    (start.match(markdownSigns)?.length ?? 0) >= 3
  );
}

const signature = /^\s{0,4}--\s+(\S.{1,100}?)\s*<([^<>\s]{3,200})>,?\s*(.{0,60})$/;
/** A version of what the work needs. */
const ofAnother =
  /\b(?:requires?|needs?|least|than|that|since|until|before|after|with|under)\b.*version|version\s+\S+\s+(?:or|and|to)\b/i;
const address = /\bhttps?:\/\/[^\s<>()[\]"'`|]{1,2000}/g;

class ReadmeReader {
  title: string | undefined;
  description: string | undefined;
  date: string | undefined;
  version: string | undefined;
  readonly authors: string[] = [];
  readonly #text: StructuredText;

  constructor(text: StructuredText) {
    this.#text = text;
  }

  block({ lines }: PlainBlock): void {
    const kept = lines.filter((line) => !this.#facts(line)).map(withoutEditorMarks);
    let body: string[] = [];
    for (let at = 0; at < kept.length; at++) {
      const line = kept[at] ?? '';
      // Underlined headings may occur within a block; each begins a section.
      if (underlined(line, kept[at + 1])) {
        this.#body(body);
        body = [];
        this.#heading(line);
        at++;
      } else if (!isRule(line)) body.push(line);
    }
    this.#body(body);
  }

  #heading(line: string): void {
    if (!isNameHeading(line)) this.title ??= titleLine([line]);
    this.#text.heading(line);
  }

  #body(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const [first = ''] = lines;
    const body = lines.join('\n');
    if (lines.length === 1 && isHeadingLine(first)) {
      this.#heading(first);
      return;
    }
    const legal = isLicenceText(body);
    if (this.title === undefined && !legal && !/^Copying and/.test(first)) this.title = titleLine(lines);
    else if (this.description === undefined && isProse(lines) && body.length > 40 && !isLicenceText(body))
      this.description = oneLine(body.slice(0, maxDescription));
    for (const [url] of body.matchAll(address))
      this.#text.references.add(url.replace(/[.,;:!?]+$/, ''), true);
    if (isProse(lines)) this.#text.paragraph(body);
    else this.#text.lines(body);
  }

  /** Read the facts of a line; true for a signature, which is no text. */
  #facts(line: string): boolean {
    if (isToolLine(line)) return true;
    const short = line.slice(0, 400);
    const signed = signature.exec(short);
    if (signed !== null) {
      this.authors.push(`${signed[1]} <${signed[2]}>`);
      if (signed[3] !== '') this.date = signed[3];
      return true;
    }
    const named = /^\s*(?:Authors?|Written by|Maintainer|By)\s*:?\s+(\p{Lu}.{2,150})$/u.exec(short)?.[1];
    if (named !== undefined && /^[^.!?]*(?:<[^>]*>)?$/.test(named) && this.authors.length < 32)
      this.authors.push(named);
    if (!ofAnother.test(short))
      this.version ??= /^\s*(?:.{0,60}\b)?[Vv]ersion:?\s+v?(\d+(?:\.\d+){1,5}\S{0,20})/
        .exec(short)?.[1]
        ?.replace(/[).,;]+$/, '');
    return false;
  }
}

function titleLine(lines: readonly string[]): string | undefined {
  const line = lines.find((candidate) => /[\p{L}\p{N}]/u.test(candidate) && !isNameHeading(candidate));
  return line === undefined
    ? undefined
    : oneLine(line.slice(0, 200)).replace(/^(?:[\s=#*~_|-]+|h1\. )|[\s=#*~_|-]+$/g, '');
}
