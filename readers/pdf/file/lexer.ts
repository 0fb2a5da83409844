import { PdfKeyword, PdfName, PdfReference, type PdfValue } from './values.ts';

// The class of a byte (ISO 32000 table 1 and 2).
const regular = 0;
const white = 1;
const delimiter = 2;
const kinds = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) kinds[byte] = white;
for (const sign of '()<>[]{}/%') kinds[sign.charCodeAt(0)] = delimiter;

const maxDepth = 100;
const maxNameLength = 1024;

/** Whether a byte parts words. */
export function isWhite(byte: number): boolean {
  return kinds[byte] === white;
}

/** Whether a byte belongs to a word. */
export function isRegular(byte: number): boolean {
  return kinds[byte] === regular;
}

/** The value of a hexadecimal digit, or -1. */
export function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** Reads objects (ISO 32000 7.3). Never throws; every call consumes input, and nesting is bounded. */
export class PdfLexer {
  readonly bytes: Uint8Array;
  at: number;
  /** Decrypts strings; absent in files without encryption. */
  readonly #decrypt: ((text: string) => string) | undefined;

  constructor(bytes: Uint8Array, at = 0, decrypt?: (text: string) => string) {
    this.bytes = bytes;
    this.at = at;
    this.#decrypt = decrypt;
  }

  /** Whether the input is consumed. */
  get done(): boolean {
    this.#skipWhite();
    return this.at >= this.bytes.length;
  }

  /** The next object; a keyword with an empty word at the end. */
  read(depth = 0): PdfValue {
    this.#skipWhite();
    const { bytes } = this;
    if (this.at >= bytes.length) return new PdfKeyword('');
    const byte = bytes[this.at] ?? 0;
    switch (byte) {
      case 0x2f:
        this.at++;
        return new PdfName(this.#name());
      case 0x28:
        this.at++;
        return this.#string(this.#literal());
      case 0x3c:
        if (bytes[this.at + 1] === 0x3c) {
          this.at += 2;
          return depth < maxDepth ? this.#dictionary(depth + 1) : null;
        }
        this.at++;
        return this.#string(this.#hexadecimal());
      case 0x5b:
        this.at++;
        return depth < maxDepth ? this.#array(depth + 1) : null;
    }
    if (byte === 0x3e && bytes[this.at + 1] === 0x3e) {
      this.at += 2;
      return new PdfKeyword('>>');
    }
    if (kinds[byte] === delimiter) {
      this.at++;
      return new PdfKeyword(String.fromCharCode(byte));
    }
    return this.#word();
  }

  #string(text: string): string {
    return this.#decrypt === undefined ? text : this.#decrypt(text);
  }

  #skipWhite(): void {
    const { bytes } = this;
    for (; this.at < bytes.length; this.at++) {
      const byte = bytes[this.at] ?? 0;
      if (byte === 0x25) {
        while (this.at < bytes.length && bytes[this.at] !== 10 && bytes[this.at] !== 13) this.at++;
      } else if (kinds[byte] !== white) return;
    }
  }

  #regularText(max: number): string {
    const start = this.at;
    const { bytes } = this;
    while (this.at < bytes.length && kinds[bytes[this.at] ?? 0] === regular) this.at++;
    const end = Math.min(this.at, start + max);
    let text = '';
    for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at] ?? 0);
    return text;
  }

  #name(): string {
    const text = this.#regularText(maxNameLength);
    if (!text.includes('#')) return text;
    return text.replace(/#([0-9a-fA-F]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
  }

  #word(): PdfValue {
    const start = this.at;
    const text = this.#regularText(256);
    if (/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text)) {
      const value = Number(text);
      return /^\d+$/.test(text) ? this.#referenceOr(value) : value;
    }
    if (text === 'true') return true;
    if (text === 'false') return false;
    if (text === 'null') return null;
    // Damaged numbers such as --5 or 1.2.3 are read as far as they go.
    const loose = /^[+-]*(\d*\.?\d*)/.exec(text);
    if (loose?.[1] !== undefined && loose[1] !== '' && /\d/.test(loose[1]))
      return (text.startsWith('-') ? -1 : 1) * Number(loose[1]);
    if (this.at === start) this.at++;
    return new PdfKeyword(text);
  }

  /** `12 0 R` after its first number was read. */
  #referenceOr(number: number): PdfValue {
    const { bytes } = this;
    const back = this.at;
    let at = back;
    while (kinds[bytes[at] ?? 255] === white) at++;
    const first = at;
    let generation = 0;
    for (; at < first + 6; at++) {
      const digit = (bytes[at] ?? 0) - 48;
      if (digit < 0 || digit > 9) break;
      generation = generation * 10 + digit;
    }
    if (at === first || at === back) return number;
    const second = at;
    while (kinds[bytes[at] ?? 255] === white) at++;
    if (at === second || bytes[at] !== 0x52) return number;
    const next = bytes[at + 1];
    if (next !== undefined && kinds[next] === regular) return number;
    this.at = at + 1;
    return new PdfReference(number, generation);
  }

  #literal(): string {
    const { bytes } = this;
    let text = '';
    let depth = 1;
    let run = this.at;
    for (; this.at < bytes.length; this.at++) {
      const byte = bytes[this.at];
      if (byte === 0x28) depth++;
      else if (byte === 0x29) {
        if (--depth === 0) break;
      } else if (byte === 0x5c) {
        text += latin1(bytes, run, this.at);
        this.at++;
        text += this.#escape();
        run = this.at + 1;
      }
    }
    text += latin1(bytes, run, Math.min(this.at, bytes.length));
    this.at++;
    return text;
  }

  /** The character after a backslash; ends at its last byte. */
  #escape(): string {
    const byte = this.bytes[this.at] ?? 0;
    switch (byte) {
      case 0x6e:
        return '\n';
      case 0x72:
        return '\r';
      case 0x74:
        return '\t';
      case 0x62:
        return '\b';
      case 0x66:
        return '\f';
      case 13:
        if (this.bytes[this.at + 1] === 10) this.at++;
        return '';
      case 10:
        return '';
    }
    if (byte < 48 || byte > 55) return String.fromCharCode(byte);
    let code = byte - 48;
    for (let more = 0; more < 2; more++) {
      const digit = (this.bytes[this.at + 1] ?? 0) - 48;
      if (digit < 0 || digit > 7) break;
      code = code * 8 + digit;
      this.at++;
    }
    return String.fromCharCode(code & 0xff);
  }

  #hexadecimal(): string {
    const { bytes } = this;
    let text = '';
    let half = -1;
    for (; this.at < bytes.length; this.at++) {
      const byte = bytes[this.at] ?? 0;
      if (byte === 0x3e) break;
      const digit = hexDigit(byte);
      if (digit < 0) continue;
      if (half < 0) half = digit;
      else {
        text += String.fromCharCode(half * 16 + digit);
        half = -1;
      }
    }
    this.at++;
    return half < 0 ? text : text + String.fromCharCode(half * 16);
  }

  #array(depth: number): PdfValue {
    const items: PdfValue[] = [];
    for (;;) {
      const item = this.read(depth);
      if (item instanceof PdfKeyword) {
        if (item.word === ']' || endsContainer(item.word)) return items;
        continue;
      }
      items.push(item);
    }
  }

  #dictionary(depth: number): PdfValue {
    const entries = new Map<string, PdfValue>();
    for (;;) {
      const key = this.read(depth);
      if (key instanceof PdfKeyword) {
        if (key.word === '>>' || endsContainer(key.word)) return entries;
        continue;
      }
      if (!(key instanceof PdfName)) continue;
      const start = this.at;
      const value = this.read(depth);
      if (value instanceof PdfKeyword) {
        if (value.word === '>>' || endsContainer(value.word)) return entries;
        if (this.at === start) this.at++;
        continue;
      }
      entries.set(key.name, value);
    }
  }
}

function endsContainer(word: string): boolean {
  return word === '' || word === 'endobj' || word === 'stream' || word === 'endstream';
}

/** Bytes as Latin-1 text. */
export function latin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.max(0, end - start)).toString('latin1');
}
