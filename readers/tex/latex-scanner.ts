/** A place in TeX source, with functions that skip the text there. Every look ahead has a bound. */
export class TexScanner {
  readonly source: string;
  at = 0;
  /** Marks that were not found up to the end of the source; later searches for them are skipped. */
  readonly #missing = new Set<string>();

  constructor(source: string) {
    this.source = source;
  }

  get done(): boolean {
    return this.at >= this.source.length;
  }

  /** The command after a backslash at `at`: letters and a star, or one other character. */
  command(): string {
    const letters = this.#match(/[A-Za-z@]{1,100}\*?/y);
    if (letters !== undefined) {
      // White space after a control word belongs to it, but not a blank line.
      this.#match(/[ \t]*(?:\n(?![ \t]*\n)[ \t]*)?/y);
      return letters;
    }
    const one = this.source.slice(this.at, this.at + 1);
    this.at++;
    return one;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source)?.[0];
    if (found !== undefined) this.at = pattern.lastIndex;
    return found;
  }

  /** Move behind the next `mark` and return the text before it, or undefined when there is none. */
  upTo(mark: string): string | undefined {
    if (this.#missing.has(mark)) return undefined;
    const end = this.source.indexOf(mark, this.at);
    if (end < 0) {
      if (this.#missing.size < 1000) this.#missing.add(mark);
      return undefined;
    }
    const between = this.source.slice(this.at, end);
    this.at = end + mark.length;
    return between;
  }

  /** An argument without inner braces: `{key,key}`; undefined, with nothing read, when there is none. */
  simpleArgument(): string | undefined {
    const start = this.#blanksEnd();
    if (this.source.charAt(start) !== '{') return undefined;
    const end = this.source.slice(start + 1, start + 1 + maxSimple).indexOf('}');
    if (end < 0) return undefined;
    this.at = start + end + 2;
    return this.source.slice(start + 1, start + 1 + end);
  }

  /** `[...]` if it is there. */
  option(): string | undefined {
    if (this.source.charAt(this.at) !== '[') return undefined;
    const end = this.source.slice(this.at + 1, this.at + 1 + maxSimple).indexOf(']');
    if (end < 0) return undefined;
    const text = this.source.slice(this.at + 1, this.at + 1 + end);
    this.at += end + 2;
    return text;
  }

  /** Whether an argument in braces follows; white space before it is skipped. */
  open(): boolean {
    const start = this.#blanksEnd();
    if (this.source.charAt(start) !== '{') return false;
    this.at = start + 1;
    return true;
  }

  /** The inside of balanced braces that begin here, at most `maxGroup` characters, or undefined. */
  group(): string | undefined {
    const start = this.#blanksEnd();
    if (this.source.charAt(start) !== '{') return undefined;
    const limit = Math.min(this.source.length, start + maxGroup);
    let depth = 0;
    for (let at = start; at < limit; at++) {
      const code = this.source.charCodeAt(at);
      if (code === 92) at++;
      else if (code === 123) depth++;
      else if (code === 125 && --depth === 0) {
        this.at = at + 1;
        return this.source.slice(start + 1, at);
      }
    }
    return undefined;
  }

  #blanksEnd(): number {
    let at = this.at;
    while (/[ \t\n]/.test(this.source.charAt(at)) && at - this.at < 200) at++;
    return at;
  }
}

const maxSimple = 2000;
const maxGroup = 4000;
