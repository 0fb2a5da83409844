/** A word of PostScript: what an interpreter would push or execute. */
export type Token =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'literal'; readonly name: string }
  | { readonly kind: 'operator'; readonly name: string };

const maxString = 64 * 1024;

/** Splits a program into words (PostScript Language Reference 3.2), without procedures and comments. */
export class PostScriptScanner {
  readonly #source: string;
  #at: number;

  /** `source` as Latin-1 text. */
  constructor(source: string, at = 0) {
    this.#source = source;
    this.#at = at;
  }

  /** The next word, or undefined at the end. */
  next(): Token | undefined {
    const source = this.#source;
    let depth = 0;
    for (;;) {
      this.#skipWhite();
      if (this.#at >= source.length) return undefined;
      const sign = source.charAt(this.#at);
      if (sign === '(') {
        const text = this.#string();
        if (depth === 0) return { kind: 'string', text };
      } else if (sign === '{') {
        depth++;
        this.#at++;
      } else if (sign === '}') {
        depth = Math.max(0, depth - 1);
        this.#at++;
      } else if (sign === '<' && source.charAt(this.#at + 1) !== '<') {
        const text = this.#hexadecimal();
        if (depth === 0) return { kind: 'string', text };
      } else if ('[]<>)'.includes(sign)) this.#at++;
      else {
        const token = this.#word();
        if (depth === 0) return token;
      }
    }
  }

  #skipWhite(): void {
    const source = this.#source;
    for (; this.#at < source.length; this.#at++) {
      const code = source.charCodeAt(this.#at);
      if (code === 0x25) {
        while (this.#at < source.length && !/[\r\n]/.test(source.charAt(this.#at))) this.#at++;
      } else if (code > 32) return;
    }
  }

  #word(): Token {
    const pattern = /\/{0,2}[^\s()<>[\]{}/%\0]*/y;
    pattern.lastIndex = this.#at;
    const word = pattern.exec(this.#source)?.[0] ?? '';
    this.#at += Math.max(1, word.length);
    if (word.startsWith('/')) return { kind: 'literal', name: word.replace(/^\/+/, '') };
    return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(word)
      ? { kind: 'number', value: Number(word) }
      : { kind: 'operator', name: word };
  }

  #string(): string {
    const source = this.#source;
    const start = ++this.#at;
    let depth = 1;
    for (; this.#at < source.length; this.#at++) {
      const code = source.charCodeAt(this.#at);
      if (code === 0x5c) this.#at++;
      else if (code === 0x28) depth++;
      else if (code === 0x29 && --depth === 0) break;
    }
    const raw = source.slice(start, Math.min(this.#at, start + maxString));
    this.#at++;
    return raw.includes('\\') ? raw.replace(/\\([0-7]{1,3}|\r\n|[\s\S])/g, unescaped) : raw;
  }

  #hexadecimal(): string {
    const end = this.#source.indexOf('>', this.#at);
    const stop = end < 0 ? this.#source.length : end;
    const digits = this.#source
      .slice(this.#at + 1, Math.min(stop, this.#at + maxString))
      .replace(/[^0-9a-fA-F]/g, '');
    this.#at = stop + 1;
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex').toString('latin1');
  }
}

function unescaped(_: string, sign: string): string {
  if (/^[0-7]/.test(sign)) return String.fromCharCode(Number.parseInt(sign, 8) & 0xff);
  return { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '\n': '', '\r': '', '\r\n': '' }[sign] ?? sign;
}
