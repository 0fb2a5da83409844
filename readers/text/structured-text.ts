import type { Extract, Field, RecognisedDocument, SummariseOptions } from '../document/index.ts';
import { beginning, keptLines, oneLine } from './clean-text.ts';
import { extractOf, maxTitle, maxValue } from './extract-builder.ts';
import { isLicenceText } from './licence-text.ts';
import { logTitle } from './plain-title.ts';
import { ReferenceCollector } from './reference-collector.ts';
import { TextBlocks } from './text-blocks.ts';

const maxHeadings = 5000;
const minLeadLength = 40;
const maxLeadLength = 500;

/** Collects the bounded headings, paragraphs, code and references of a notation's reader. */
export class StructuredText {
  readonly references = new ReferenceCollector();
  readonly headings: string[] = [];
  /** Sentences for `Summary-Note`. */
  readonly notes: string[] = [];
  /** The document's own title; else the first heading is used. */
  title: string | undefined;
  /** False for a list, which its first heading does not name. */
  isNamedByHeading = true;
  /** The first paragraph of some length, at most 500 characters, for a document without a description. */
  lead: string | undefined;
  readonly #blocks: TextBlocks;

  constructor(options: SummariseOptions) {
    this.#blocks = new TextBlocks(options);
  }

  /** Whether more text can be added. */
  get open(): boolean {
    return this.#blocks.open;
  }

  /** `level`: 1 is the highest; without it only the title's is known. */
  heading(text: string, level?: number): void {
    const line = oneLine(text);
    if (line === '') return;
    if (this.headings.length < maxHeadings) this.headings.push(beginning(line, maxTitle));
    this.#blocks.add(line, 'heading', level ?? (line === this.title ? 1 : undefined));
  }

  /** Text whose line breaks mean nothing. */
  paragraph(text: string, role: 'paragraph' | 'item' = 'paragraph'): void {
    if (this.lead === undefined && text.length >= minLeadLength) this.#leadWith(text);
    if (this.open) this.#blocks.add(oneLine(text), role);
  }

  /** The cells of one row of a table, as one line. */
  row(text: string): void {
    if (this.open) this.#blocks.add(oneLine(text), 'row');
  }

  #leadWith(text: string): void {
    const line = oneLine(beginning(text, 2 * maxLeadLength));
    if (line.length < minLeadLength || line === this.title || isLicenceText(line)) return;
    const whole = line.length <= maxLeadLength;
    // Cut between words.
    this.lead = whole ? line : beginning(line, maxLeadLength).replace(/\s\S{0,40}$/, ' …');
  }

  /** Text with its line breaks: code, verse, tables. */
  lines(text: string): void {
    if (this.open) this.#blocks.add(keptLines(text), 'pre');
  }

  /** Text that is left out at lower levels: quotations of other messages, signatures, notices. */
  aside(text: string): void {
    if (this.open) this.#blocks.add(keptLines(text), 'boilerplate');
  }

  /** The finished extract; `fields` come before `Headings`, in the given order. */
  extract(document: RecognisedDocument, fields: readonly Field[]): Extract {
    const heading = this.isNamedByHeading ? this.headings[0] : undefined;
    const title = oneLine(beginning(this.title ?? '', maxValue)) || heading;
    return extractOf({
      title: logTitle(title ?? '', document.name, document.url) ?? title,
      fields: [...fields, ['Headings', this.headings.join('\n')]],
      blocks: this.#blocks,
      references: this.references.resolve(document.url),
      notes: this.notes,
    });
  }
}
