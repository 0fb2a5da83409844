import type { Extract, Field, RecognisedDocument, SummariseOptions } from '../document/index.ts';
import { beginning, keptLines, oneLine } from './clean-text.ts';
import { ReferenceCollector } from './reference-collector.ts';
import { TextBlocks } from './text-blocks.ts';

const maxTitle = 1000;
const maxHeadings = 5000;
const maxValue = 8 * 1024;
const maxValues = 1000;
const minLeadLength = 40;
const maxLeadLength = 500;

/** One attribute with its values joined, each different one once; at most 1000 values of 8 KiB. */
export function joined(name: string, values: Iterable<string>, separator = ', '): Field {
  return [name, distinct(values).join(separator)];
}

/** One attribute for one value, `Name-1`, `Name-2` for more; each different value once, at most 1000. */
export function eachOf(name: string, values: Iterable<string>): readonly Field[] {
  return numbered(name, distinct(values));
}

/** One attribute whose value is a text of at most 8 KiB on one line. */
export function single(name: string, value: string | undefined): Field {
  return [name, clean(value ?? '')];
}

function distinct(values: Iterable<string>): string[] {
  const seen = new Set<string>();
  for (const value of values) {
    const text = clean(value);
    if (text !== '') seen.add(text);
    if (seen.size >= maxValues) break;
  }
  return [...seen];
}

// A reader's own bound may have cut a character in two.
const halves = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function clean(value: string): string {
  return oneLine(beginning(value, maxValue).replace(halves, ''));
}

/** Collects the bounded headings, paragraphs, code and references of a notation's reader. */
export class StructuredText {
  readonly references = new ReferenceCollector();
  readonly headings: string[] = [];
  /** Sentences for `Summary-Note`. */
  readonly notes: string[] = [];
  /** The document's own title; else the first heading is used. */
  title: string | undefined;
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

  heading(text: string): void {
    const line = oneLine(text);
    if (line === '') return;
    if (this.headings.length < maxHeadings) this.headings.push(beginning(line, maxTitle));
    this.#blocks.add(line, 'heading', line === this.title ? 1 : undefined);
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
    if (line.length < minLeadLength || line === this.title) return;
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
    const { references, links, cut } = this.references.resolve(document.url);
    const text = this.#blocks.read();
    const notes = [...this.notes];
    if (cut) notes.push('Some links were left out: too many or too long.');
    const title = oneLine(beginning(this.title ?? '', maxValue)) || this.headings[0];
    return {
      ...(title === undefined ? {} : { title: beginning(title, maxTitle) }),
      fields: [...fields, ['Headings', this.headings.join('\n')]],
      ...(text === undefined ? {} : { text }),
      references,
      links,
      index: true,
      follow: true,
      notes,
    };
  }
}

/** One attribute, or several numbered from 1 when there are more values. */
export function numbered(attribute: string, values: readonly string[]): Field[] {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return [[attribute, only]];
  return values.map((value, at) => [`${attribute}-${at + 1}`, value]);
}

/** A language tag (BCP 47) as given, or undefined when malformed; of a list the first is used. */
export function languageTag(text: string | undefined): string | undefined {
  const [first = ''] = (text ?? '').split(',', 1);
  const tag = first.trim();
  return tag.length <= 35 && /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i.test(tag) ? tag : undefined;
}
