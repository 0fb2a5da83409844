import { BLANK_BYTE, LF, sectionTypes } from './syntax.ts';
import type { TextCursor } from './text-cursor.ts';

/** The reading of one line of a damaged object, while the parser looks for a place to resume. */
export type LineSense =
  /** An attribute: `skip` bytes up to its value, then `size` bytes that are not looked at. */
  | { readonly kind: 'attribute'; readonly skip: number; readonly size: number }
  /** `skip` bytes hold `closers` closing braces; an object or section may open right after them. */
  | { readonly kind: 'closers'; readonly skip: number; readonly closers: number }
  /** `skip` bytes of blanks, then the opening of an object or a section. */
  | { readonly kind: 'opening'; readonly skip: number; readonly section: boolean }
  | { readonly kind: 'blank' }
  | { readonly kind: 'other' };

// Each alternative can match in one way only, so that a line costs time linear in its length.
const attribute = /^(?:[ \t]*[A-Za-z0-9_.:<>-]+\{(\d+)\}:(?:\t|[ \t]*)|[^\n]*?\{(\d+)\}:\t)/;
const opening = /^([ \t]*)@([A-Za-z0-9_-]+)[ \t]*\{([^\n]*)$/;
// A URL alone on the rest of its line, or followed by the object's end or its first attribute.
const afterBrace = /^[ \t]*(?!\})\S+(?:[ \t\r]+(?:$|\}|[A-Za-z0-9_.:<>-]+\{\d+\}:\t)|$)/;

/**
 * Judge a line (without its line feed, bytes as Latin-1). Damaged attributes count as attributes as long as a
 * size can be read: skipping their values by count keeps an `@` inside a value from opening an object.
 * `lineStart` is false where the text may not begin a line: nothing may open there.
 */
export function senseLine(line: string, lineStart: boolean): LineSense {
  if (/^[ \t\v\f\r]*$/.test(line)) return { kind: 'blank' };
  const header = attribute.exec(line);
  if (header) {
    const digits = (header[1] ?? header[2]) as string;
    const size = digits.length > 15 ? Number.MAX_SAFE_INTEGER : Number(digits);
    return { kind: 'attribute', skip: header[0].length, size };
  }
  const closers = /^[ \t]*(?:\}[ \t\r]*)+(?=$|@)/.exec(line);
  if (closers)
    return { kind: 'closers', skip: closers[0].length, closers: closers[0].replace(/[^}]/g, '').length };
  const opens = lineStart ? opening.exec(line) : null;
  if (opens) {
    const skip = (opens[1] as string).length;
    const section = sectionTypes.has(opens[2] as string);
    if (section || afterBrace.test(opens[3] as string)) return { kind: 'opening', skip, section };
  }
  return { kind: 'other' };
}

/** Whether a salvage needs more input, made progress, or is at an opening (perhaps out of its section). */
export type SalvageStep = 'more' | 'on' | 'resume' | 'resume-outside';

/** Leads from a fault to the next line or closing brace where an object or section opens. */
export class Salvage {
  readonly #window: number;
  #state: 'line' | 'token' | 'inside' | 'blanks' | 'value' = 'inside';
  #left = 0;
  // Closing braces in a row: the first closes the damaged object, the second its section.
  #closers = 0;

  /** `window`: max bytes of a line that are looked at. */
  constructor(window: number) {
    this.#window = window;
  }

  /** Begin at the cursor. `closers`: 1 when no object is open there, else 0. */
  begin(cursor: TextCursor, closers: 0 | 1): void {
    this.#state = cursor.lineStart ? 'line' : 'token';
    this.#closers = closers;
  }

  /** Begin before a value of known size; blanks are skipped first when its delimiter was damaged. */
  beginAtValue(size: number, blanks: boolean): void {
    this.#state = blanks ? 'blanks' : 'value';
    this.#left = size;
    this.#closers = 0;
  }

  step(cursor: TextCursor, final: boolean): SalvageStep {
    switch (this.#state) {
      case 'blanks': {
        const end = cursor.tokenEnd(BLANK_BYTE, cursor.length);
        cursor.consume(end);
        if (end === cursor.length) return 'more';
        this.#state = 'value';
        return 'on';
      }
      case 'value': {
        const end = Math.min(cursor.length, cursor.at + this.#left);
        this.#left -= end - cursor.at;
        cursor.consume(end);
        if (this.#left > 0) return 'more';
        this.#state = 'token';
        return 'on';
      }
      case 'inside': {
        const newline = cursor.buffer.indexOf(LF, cursor.at);
        cursor.consume(newline < 0 ? cursor.length : newline + 1);
        if (newline < 0) return 'more';
        this.#state = 'line';
        return 'on';
      }
      default:
        return this.#judge(cursor, final);
    }
  }

  #judge(cursor: TextCursor, final: boolean): SalvageStep {
    const newline = cursor.buffer.indexOf(LF, cursor.at);
    const end = newline < 0 ? cursor.length : newline;
    if (newline < 0 && (final ? cursor.at === end : end - cursor.at < this.#window)) return 'more';
    const line = cursor.textTo(Math.min(end, cursor.at + this.#window));
    const sense = senseLine(line, this.#state === 'line');
    this.#state = 'inside';
    if (sense.kind === 'other') this.#closers = 0;
    if (sense.kind === 'other' || sense.kind === 'blank') return 'on';
    cursor.consume(cursor.at + sense.skip);
    if (sense.kind === 'opening') return sense.section || this.#closers > 1 ? 'resume-outside' : 'resume';
    if (sense.kind === 'attribute') this.beginAtValue(sense.size, false);
    else {
      this.#closers += sense.closers;
      if (sense.skip < line.length) this.#state = 'line';
    }
    return 'on';
  }
}
