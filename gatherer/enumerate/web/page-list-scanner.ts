/** Place of the names in the data: keys from the outside in; null means every element of an array. */
export type NamePath = readonly [key: string, every: null, ...keys: string[]];

export interface ScanLimits {
  readonly maxNames: number;
  /** Characters of all names together. */
  readonly maxCharacters: number;
  /** Characters stored of one name; a name of this length is too long. */
  readonly maxNameLength: number;
}

const singleEscapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Length of an escape after its backslash, by its first character. */
const escapeLengths: Readonly<Record<string, number>> = { u: 5, x: 3 };

function unescaped(escaped: string): string {
  const first = escaped[0] as string;
  if (!(first in escapeLengths)) return singleEscapes[first] ?? escaped;
  const code = Number.parseInt(escaped.slice(1), 16);
  return Number.isNaN(code) ? '' : String.fromCharCode(code);
}

// Max length of a relevant key.
const maxWordLength = 64;

/**
 * Collects the strings at one path of a JSON text or JavaScript object literal (keys without quotes, strings in either
 * kind) streamed in pieces of any size. Nothing is evaluated or built: the state is a depth, the path and the names.
 * Each character is read once, up to the end of the array.
 */
export class PageListScanner {
  readonly #lead: string;
  readonly #path: NamePath;
  readonly #limits: ScanLimits;
  readonly #names = new Set<string>();
  #characters = 0;
  /** The text before the first brace, without white space. */
  #head = '';
  #depth = 0;
  /** The current step of each level, down to the depth of the path. */
  readonly #steps: (string | null | undefined)[] = [];
  /** The last string or word: a key if a colon follows. */
  #token: { text: string; readonly quoted: boolean } | undefined;
  #quote: string | undefined;
  #escape: string | undefined;
  #state: 'open' | 'complete' | 'foreign' | 'full' = 'open';

  /** `lead`: the text before the data, such as `f(`. */
  constructor(lead: string, path: NamePath, limits: ScanLimits) {
    this.#lead = lead;
    this.#path = path;
    this.#limits = limits;
  }

  /** Names so far, each once, in order. */
  get names(): readonly string[] {
    return [...this.#names];
  }

  /** `open` until more input is irrelevant: all names were found, it is another format, or there are too many names. */
  get state(): 'open' | 'complete' | 'foreign' | 'full' {
    return this.#state;
  }

  write(text: string): void {
    for (let at = 0; at < text.length && this.#state === 'open'; )
      at = this.#quote === undefined ? this.#outside(text, at) : this.#inString(text, at);
  }

  #outside(text: string, at: number): number {
    const char = text[at] as string;
    if (this.#depth === 0) {
      if (char !== '{') this.#before(char);
      else if (this.#head === this.#lead) this.#open(char);
      else this.#state = 'foreign';
      return at + 1;
    }
    if (char === '"' || char === "'") {
      this.#quote = char;
      this.#token = { text: '', quoted: true };
    } else if (char === '{' || char === '[') this.#open(char);
    else if (char === '}' || char === ']') this.#close();
    else if (char === ':') this.#key();
    else if (char === ',') this.#value();
    else if (char.trim() !== '') this.#word(char);
    return at + 1;
  }

  #before(char: string): void {
    this.#head += char.trim();
    if (!this.#lead.startsWith(this.#head)) this.#state = 'foreign';
  }

  #inString(text: string, from: number): number {
    if (this.#escape !== undefined) {
      this.#escape += text[from];
      if (this.#escape.length === (escapeLengths[this.#escape[0] as string] ?? 1)) {
        this.#keep(unescaped(this.#escape));
        this.#escape = undefined;
      }
      return from + 1;
    }
    let at = from;
    while (at < text.length && text[at] !== this.#quote && text[at] !== '\\') at += 1;
    this.#keep(text.slice(from, at));
    if (text[at] === '\\') this.#escape = '';
    else if (at < text.length) this.#quote = undefined;
    return at + 1;
  }

  #keep(part: string): void {
    // Strings deeper than any name are irrelevant.
    if (!this.#token || this.#depth > this.#path.length) return;
    const room = this.#limits.maxNameLength - this.#token.text.length;
    if (room > 0) this.#token.text += part.slice(0, room);
  }

  #word(char: string): void {
    if (this.#token?.quoted !== false) this.#token = { text: '', quoted: false };
    if (this.#token.text.length < maxWordLength) this.#token.text += char;
  }

  #open(char: '{' | '['): void {
    this.#token = undefined;
    this.#depth += 1;
    if (this.#depth <= this.#path.length) this.#steps[this.#depth - 1] = char === '[' ? null : undefined;
  }

  #key(): void {
    const level = this.#depth - 1;
    if (level < this.#path.length && this.#steps[level] !== null) this.#steps[level] = this.#token?.text;
    this.#token = undefined;
  }

  #value(): void {
    const token = this.#token;
    this.#token = undefined;
    if (token?.quoted !== true || this.#depth !== this.#path.length) return;
    if (!this.#path.every((step, level) => step === this.#steps[level])) return;
    if (this.#names.has(token.text)) return;
    this.#names.add(token.text);
    this.#characters += token.text.length;
    const { maxNames, maxCharacters } = this.#limits;
    if (this.#names.size > maxNames || this.#characters > maxCharacters) this.#state = 'full';
  }

  #close(): void {
    this.#value();
    if (this.#state !== 'open') return;
    const [key, every] = this.#steps;
    if (this.#depth === 2 && key === this.#path[0] && every === null) this.#state = 'complete';
    this.#depth -= 1;
    if (this.#depth === 0) this.#state = 'foreign';
  }
}
