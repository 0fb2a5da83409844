import type { Field, SummariseOptions } from '../summariser.ts';
import { beginning, firstSentence } from './clean-text.ts';

/** Why a paragraph stands there: it decides how much of it selected text keeps. */
export type BlockKind = 'heading' | 'paragraph' | 'boilerplate';

// Harvest's Text summariser keeps the first 100 lines; a long paragraph counts as lines of 80 characters.
const wholeLines = 100;
const lineWidth = 80;

/**
 * Collects a document's text block by block. Full text holds every block on lines of its own. Selected text, after
 * Harvest's Text summariser, holds the first 100 lines whole, the first sentence of each later paragraph and every
 * heading; boilerplate (navigation, page headers and footers) is left out of it unless there is nothing else.
 */
export class TextBlocks {
  readonly #mode: SummariseOptions['text'];
  readonly #kept: BoundedLines;
  /** Boilerplate of selected text, in case the page holds nothing else. */
  readonly #boilerplate: BoundedLines;
  #lines = 0;

  constructor(options: Pick<SummariseOptions, 'text' | 'maxTextBytes'>) {
    this.#mode = options.text;
    this.#kept = new BoundedLines(options.maxTextBytes);
    this.#boilerplate = new BoundedLines(options.maxTextBytes);
  }

  /** Whether more text would still be kept. */
  get open(): boolean {
    return this.#mode !== 'none' && !this.#kept.cut;
  }

  /** Whether text was left out because of its size. */
  get cut(): boolean {
    return this.#kept.cut || (this.#kept.empty && this.#boilerplate.cut);
  }

  add(text: string, kind: BlockKind): void {
    if (text === '' || this.#mode === 'none') return;
    if (this.#mode === 'full') this.#kept.add(text);
    else if (kind === 'heading') this.#kept.add(text);
    else if (kind === 'boilerplate') this.#boilerplate.add(this.#lines === 0 ? text : firstSentence(text));
    else {
      this.#kept.add(this.#lines < wholeLines ? this.#wholePart(text) : firstSentence(text));
    }
  }

  /** As much of a paragraph as the lines kept whole still allow. */
  #wholePart(text: string): string {
    let start = 0;
    while (start < text.length) {
      if (this.#lines >= wholeLines) return text.slice(0, start).trimEnd();
      const lineEnd = text.indexOf('\n', start);
      const end = lineEnd < 0 ? text.length : lineEnd;
      const fits = (wholeLines - this.#lines) * lineWidth;
      if (end - start > fits) {
        this.#lines = wholeLines;
        return beginning(text, start + fits);
      }
      this.#lines += Math.max(1, Math.ceil((end - start) / lineWidth));
      start = end + 1;
    }
    return text;
  }

  /** The attribute, or undefined when there is no text or none was wanted. */
  field(): Field | undefined {
    const lines = this.#kept.empty ? this.#boilerplate : this.#kept;
    if (lines.empty) return undefined;
    return [this.#mode === 'full' ? 'Full-Text' : 'Partial-Text', lines.text()];
  }
}

/** Lines of text up to a number of UTF-8 bytes; the line that would pass it is cut at a character. */
class BoundedLines {
  readonly #max: number;
  readonly #parts: string[] = [];
  #bytes = 0;
  #cut = false;

  constructor(max: number) {
    this.#max = max;
  }

  get empty(): boolean {
    return this.#parts.length === 0;
  }

  get cut(): boolean {
    return this.#cut;
  }

  add(text: string): void {
    if (this.#cut) return;
    const bytes = Buffer.byteLength(text) + (this.empty ? 0 : 1);
    if (this.#bytes + bytes <= this.#max) {
      this.#bytes += bytes;
      this.#parts.push(text);
      return;
    }
    this.#cut = true;
    const rest = fitting(text, this.#max - this.#bytes - (this.empty ? 0 : 1));
    if (rest !== '') this.#parts.push(rest);
  }

  text(): string {
    return this.#parts.join('\n');
  }
}

/** The longest beginning of `text` that is at most `bytes` of UTF-8. */
function fitting(text: string, bytes: number): string {
  if (bytes <= 0) return '';
  const candidate = Buffer.from(beginning(text, bytes));
  if (candidate.length <= bytes) return candidate.toString();
  let end = bytes;
  while (end > 0 && ((candidate[end] ?? 0) & 0xc0) === 0x80) end--;
  return candidate.toString('utf8', 0, end);
}
