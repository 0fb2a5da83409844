import type { StructuredText } from './structured-text.ts';

/** Where the number or count of pages comes, in the text of a header or footer. */
export const pageMark = '\u0001';

/** Whether a field's instruction is for the number or count of pages (ISO/IEC 29500-1 section 17.16.5). */
export function isPageField(instruction: string): boolean {
  return /^\s*(?:NUM|SECTION)?PAGES?\b/i.test(instruction);
}

/** Receives text: a document's own, or what repeats on its pages. */
export type TextSink = Pick<StructuredText, 'heading' | 'lines' | 'paragraph' | 'row'>;

const maxLines = 1000;
const maxLength = 10_000;

/** Text that repeats on every page, slide or printed sheet: each line once, without page numbers. */
export class RunningText implements TextSink {
  readonly #lines = new Set<string>();

  heading(text: string): void {
    this.paragraph(text);
  }

  row(text: string): void {
    this.paragraph(text);
  }

  paragraph(text: string): void {
    if (this.#lines.size < maxLines) this.#lines.add(text.slice(0, maxLength));
  }

  lines(text: string): void {
    for (const line of text.slice(0, maxLength).split('\n')) this.paragraph(line);
  }

  /** Add the lines to a text as one that lower levels leave out, and begin again. */
  addTo(text: StructuredText): void {
    for (const line of this.#lines) if (!isPageNumber(line)) text.aside(line.replaceAll(pageMark, ''));
    this.#lines.clear();
  }
}

/** Whether a line only counts pages, such as `Page 3 of 5`. */
function isPageNumber(line: string): boolean {
  return (
    line.includes(pageMark) && /^[^\p{L}\p{N}]*(?:\p{L}{1,10}[^\p{L}\p{N}]+){0,3}$/u.test(line.slice(0, 200))
  );
}
