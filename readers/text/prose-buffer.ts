import type { StructuredText } from './structured-text.ts';

// Longer paragraphs are cut in two: they are data, not prose.
const maxParagraph = 256 * 1024;

/** Collects lines until a break, for the document's text and, if set, a listener for an attribute. */
export class ProseBuffer {
  /** Gets each finished block, its lines still apart. */
  listener: ((block: string) => void) | undefined;
  readonly #text: StructuredText;
  #lines: string[] = [];
  #length = 0;
  #filled = true;
  #glued = false;

  constructor(text: StructuredText) {
    this.#text = text;
  }

  get filled(): boolean {
    return this.#filled;
  }

  /** The paragraph so far, when it is at most `length` characters. */
  pending(length: number): string {
    return this.#length > length ? '' : this.#lines.join(' ');
  }

  line(line: string): void {
    this.#length += line.length + 1;
    const last = this.#lines.length - 1;
    if (this.#glued && last >= 0) this.#lines[last] += line;
    else this.#lines.push(line);
    this.#glued = false;
    if (this.#length > maxParagraph) this.end();
  }

  /** The next line follows without a space. */
  glue(): void {
    this.#glued = true;
  }

  /** Whether lines run together from here on. */
  fill(on: boolean): void {
    if (on !== this.#filled) this.end();
    this.#filled = on;
  }

  /** A line ends here, though the paragraph need not. */
  lineBreak(blank: boolean): void {
    if (this.#filled || blank) this.end();
  }

  /** The paragraph ends here. */
  end(): void {
    const block = this.take();
    if (block === '') return;
    if (this.#filled) this.#text.paragraph(block);
    else this.#text.lines(block);
    this.listener?.(block);
  }

  /** The paragraph so far, which then does not become text. */
  take(): string {
    const block = this.#lines.join('\n');
    this.#lines = [];
    this.#length = 0;
    this.#glued = false;
    return block;
  }
}
