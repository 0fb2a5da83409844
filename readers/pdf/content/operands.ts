import { hexDigit, isRegular, isWhite, PdfLexer } from '../file/lexer.ts';
import type { PdfDictionary } from '../file/values.ts';

const maxNumbers = 64;
const maxItems = 1 << 16;
const maxScratch = 1 << 22;

/** Splits a content stream (ISO 32000 7.8.2) into operators; reused buffers hold the operands. */
export class OperandReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  /** Numbers outside arrays. */
  readonly numbers = new Float64Array(maxNumbers);
  count = 0;
  /** The last name. */
  name = '';
  dictionary: PdfDictionary | undefined;

  /** Strings, and numbers within an array, in order: a number has a start of -1 and its value as end. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  items = 0;
  /** The bytes that the starts and ends of strings refer to. */
  scratch = new Uint8Array(4096);
  #filled = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Read up to the next operator: its (max four) letters, the first in the lowest byte; 0 at the end. */
  next(): number {
    this.count = 0;
    this.items = 0;
    this.#filled = 0;
    this.dictionary = undefined;
    const bytes = this.#bytes;
    let inArray = false;
    while (this.#at < bytes.length) {
      const byte = bytes[this.#at] ?? 0;
      if (byte <= 32) {
        this.#at++;
      } else if (byte <= 57 && (byte >= 48 || byte === 45 || byte === 46 || byte === 43)) {
        const value = this.#number();
        if (inArray) this.#item(-1, value);
        else if (this.count < maxNumbers) this.numbers[this.count++] = value;
      } else if (byte === 0x28) {
        this.#at++;
        this.#literal();
      } else if (byte === 0x5b) {
        this.#at++;
        inArray = true;
      } else if (byte === 0x5d) {
        this.#at++;
        inArray = false;
      } else if (byte === 0x2f) {
        this.#name();
      } else if (byte === 0x3c) {
        if (bytes[this.#at + 1] === 0x3c) this.#dictionary();
        else {
          this.#at++;
          this.#hexadecimal();
        }
      } else if (byte === 0x25) {
        while (this.#at < bytes.length && bytes[this.#at] !== 10 && bytes[this.#at] !== 13) this.#at++;
      } else if (isRegular(byte)) {
        return this.#operator();
      } else this.#at++;
    }
    return 0;
  }

  /** Pass over an inline image after its `BI`. */
  skipImage(): void {
    const bytes = this.#bytes;
    for (; this.#at < bytes.length; this.#at++)
      if (
        bytes[this.#at] === 0x45 &&
        bytes[this.#at + 1] === 0x49 &&
        isWhite(bytes[this.#at - 1] ?? 32) &&
        !isRegular(bytes[this.#at + 2] ?? 32)
      ) {
        this.#at += 2;
        return;
      }
  }

  #operator(): number {
    const bytes = this.#bytes;
    let code = 0;
    let shift = 0;
    for (; this.#at < bytes.length; this.#at++) {
      const byte = bytes[this.#at] ?? 0;
      if (!isRegular(byte)) break;
      if (shift < 32) code |= byte << shift;
      shift += 8;
    }
    return shift > 32 ? -1 : code;
  }

  #number(): number {
    const bytes = this.#bytes;
    let value = 0;
    let negative = false;
    let unit = 0;
    const start = this.#at;
    for (; this.#at < bytes.length; this.#at++) {
      const byte = bytes[this.#at] ?? 0;
      if (byte >= 48 && byte <= 57) {
        value = value * 10 + (byte - 48);
        if (unit > 0) unit *= 10;
      } else if (byte === 46 && unit === 0) unit = 1;
      else if (byte === 45 && this.#at === start) negative = true;
      else if (byte !== 43 && byte !== 45 && byte !== 46) break;
    }
    if (unit > 1) value /= unit;
    if (value > 1e9) value = 1e9;
    return negative ? -value : value;
  }

  #item(start: number, end: number): void {
    if (this.items >= maxItems) return;
    this.starts[this.items] = start;
    this.ends[this.items] = end;
    this.items++;
  }

  #put(byte: number): void {
    if (this.#filled >= this.scratch.length) {
      if (this.#filled >= maxScratch) return;
      const larger = new Uint8Array(this.scratch.length * 4);
      larger.set(this.scratch);
      this.scratch = larger;
    }
    this.scratch[this.#filled++] = byte;
  }

  #literal(): void {
    const bytes = this.#bytes;
    const start = this.#filled;
    let depth = 1;
    for (; this.#at < bytes.length; this.#at++) {
      const byte = bytes[this.#at] ?? 0;
      if (byte === 0x5c) {
        this.#escape();
        continue;
      }
      if (byte === 0x28) depth++;
      else if (byte === 0x29 && --depth === 0) break;
      this.#put(byte);
    }
    this.#at++;
    this.#item(start, this.#filled);
  }

  /** Begins at the backslash and ends at the last byte of the escape. */
  #escape(): void {
    const bytes = this.#bytes;
    const byte = bytes[++this.#at] ?? 0;
    if (byte >= 48 && byte <= 55) {
      let code = byte - 48;
      for (let more = 0; more < 2; more++) {
        const digit = (bytes[this.#at + 1] ?? 0) - 48;
        if (digit < 0 || digit > 7) break;
        code = code * 8 + digit;
        this.#at++;
      }
      this.#put(code & 0xff);
    } else if (byte === 13) {
      if (bytes[this.#at + 1] === 10) this.#at++;
    } else if (byte !== 10) this.#put(escaped[byte] || byte);
  }

  #hexadecimal(): void {
    const bytes = this.#bytes;
    const start = this.#filled;
    let half = -1;
    for (; this.#at < bytes.length; this.#at++) {
      const byte = bytes[this.#at] ?? 0;
      if (byte === 0x3e) break;
      const digit = hexDigit(byte);
      if (digit < 0) continue;
      if (half < 0) half = digit;
      else {
        this.#put(half * 16 + digit);
        half = -1;
      }
    }
    if (half >= 0) this.#put(half * 16);
    this.#at++;
    this.#item(start, this.#filled);
  }

  #name(): void {
    const lexer = new PdfLexer(this.#bytes, this.#at);
    const value = lexer.read();
    this.#at = lexer.at;
    if (typeof value === 'object' && value !== null && 'name' in value) this.name = value.name;
  }

  #dictionary(): void {
    const lexer = new PdfLexer(this.#bytes, this.#at);
    const value = lexer.read();
    this.#at = Math.max(lexer.at, this.#at + 2);
    this.dictionary = value instanceof Map ? value : undefined;
  }
}

const escaped = new Uint8Array(128);
for (const [letter, code] of [
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['b', 8],
  ['f', 12],
] as const)
  escaped[letter.charCodeAt(0)] = code;
