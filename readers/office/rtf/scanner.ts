/** One piece of RTF: a brace, a control word with its number, a byte given in hex, or text as bytes. */
export type RtfToken =
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'word'; readonly word: string; readonly value: number | undefined }
  | { readonly kind: 'text'; readonly text: string };

const maxWord = 32;

/** Cuts RTF into pieces (Rich Text Format Specification 1.9, Conventions of an RTF reader). */
export class RtfScanner {
  readonly #source: string;
  #at = 0;

  /** `source` as Latin-1 text. */
  constructor(source: string) {
    this.#source = source;
  }

  /** The next piece, or undefined at the end. */
  next(): RtfToken | undefined {
    const source = this.#source;
    if (this.#at >= source.length) return undefined;
    const sign = source.charAt(this.#at);
    if (sign === '{' || sign === '}') {
      this.#at++;
      return sign === '{' ? { kind: 'open' } : { kind: 'close' };
    }
    if (sign === '\\') return this.#control();
    const start = this.#at;
    for (; this.#at < source.length; this.#at++) {
      const code = source.charCodeAt(this.#at);
      if (code === 0x5c || code === 0x7b || code === 0x7d) break;
    }
    // Line ends of the file mean nothing.
    return { kind: 'text', text: source.slice(start, this.#at).replace(/[\r\n\0]+/g, '') };
  }

  /** Pass over binary data of a length. */
  skip(bytes: number): void {
    this.#at = Math.min(this.#source.length, this.#at + Math.max(0, bytes));
  }

  #control(): RtfToken {
    const source = this.#source;
    const next = source.charAt(++this.#at);
    if (!/[a-zA-Z]/.test(next)) {
      this.#at++;
      if (next !== "'") return { kind: 'word', word: next, value: undefined };
      const digits = source.slice(this.#at, this.#at + 2);
      this.#at += 2;
      const code = /^[0-9a-fA-F]{2}$/.test(digits) ? Number.parseInt(digits, 16) : 0x3f;
      return { kind: 'word', word: "'", value: code };
    }
    const start = this.#at;
    while (/[a-zA-Z]/.test(source.charAt(this.#at)) && this.#at < start + maxWord) this.#at++;
    const word = source.slice(start, this.#at);
    const number = /-?\d{1,10}/y;
    number.lastIndex = this.#at;
    const digits = number.exec(source)?.[0];
    this.#at += digits?.length ?? 0;
    if (source.charAt(this.#at) === ' ') this.#at++;
    return { kind: 'word', word, value: digits === undefined ? undefined : Number(digits) };
  }
}
