import { elementsByName } from '../html/index.ts';
import type { ReferenceCollector } from '../text/index.ts';

// Bounds that keep the scan linear: how far a label, a destination and a code fence may reach.
const maxLabel = 999;
const maxBackticks = 64;
const maxOpenBrackets = 1000;

const destination =
  /\(\s{0,99}(?:<([^<>\n]{0,4000})>|((?:[^\s()\\]|\\.|\([^\s()]{0,1000}\)){0,4000}))(?:\s{1,99}(?:"[^"]{0,4000}"|'[^']{0,4000}'|\([^()]{0,4000}\)))?\s{0,99}\)/y;
const autolink = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]{1,4000})>/iy;
const htmlTag = /<\/?([a-z][a-z0-9-]{0,40})(?=[\s/>])[^<>]{0,4096}>/iy;
const bareUrl = /https?:\/\/[^\s<>()[\]"'`|]{1,4000}/iy;
const entity = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp|copy|mdash|ndash|hellip));/iy;

const namedEntities: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    copy: '©',
    mdash: '—',
    ndash: '–',
    hellip: '…',
  }),
);

/** The form in which link labels are compared: case and white space do not matter (CommonMark 6.3). */
export function linkLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** A Markdown paragraph without markup; its links go to `references`. Linear in its length. */
export function inlineText(
  source: string,
  definitions: ReadonlyMap<string, string>,
  references: ReferenceCollector,
): string {
  return new InlineScanner(source, definitions, references).text();
}

class InlineScanner {
  readonly #source: string;
  readonly #definitions: ReadonlyMap<string, string>;
  readonly #references: ReferenceCollector;
  readonly #pieces: string[] = [];
  /** Open brackets: their offsets in the source and among the pieces. */
  readonly #brackets: { readonly at: number; readonly piece: number; readonly image: boolean }[] = [];
  /** Lengths of backtick runs known to have no partner further on. */
  readonly #unmatched = new Set<number>();
  #commentsEnd = false;
  /** The start of the text that is not among the pieces yet. */
  #from = 0;
  #at = 0;

  constructor(source: string, definitions: ReadonlyMap<string, string>, references: ReferenceCollector) {
    this.#source = source;
    this.#definitions = definitions;
    this.#references = references;
  }

  text(): string {
    while (this.#at < this.#source.length) {
      const before = this.#at;
      this.#step(this.#source.charAt(before));
      if (this.#at === before) this.#at++;
    }
    this.#put('', this.#source.length);
    return this.#pieces.join('');
  }

  #step(character: string): void {
    switch (character) {
      case '\\':
        this.#escape();
        break;
      case '`':
        this.#code();
        break;
      case '!':
        if (this.#source.charAt(this.#at + 1) === '[') this.#openBracket(true);
        break;
      case '[':
        this.#openBracket(false);
        break;
      case ']':
        this.#closeBracket();
        break;
      case '<':
        this.#angle();
        break;
      case '&':
        this.#entity();
        break;
      case '*':
      case '_':
      case '~':
        this.#emphasis(character);
        break;
      case 'h':
      case 'H':
        this.#bareUrl();
        break;
    }
  }

  /** Replace the source from here up to `end` by `text`. */
  #put(text: string, end: number, from = this.#at): void {
    if (this.#from < from) this.#pieces.push(this.#source.slice(this.#from, from));
    if (text !== '') this.#pieces.push(text);
    this.#from = end;
    this.#at = end;
  }

  #match(pattern: RegExp, at = this.#at): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(this.#source);
  }

  #runLength(character: string): number {
    let end = this.#at;
    while (this.#source.charAt(end) === character) end++;
    return end - this.#at;
  }

  #escape(): void {
    if (/[!-/:-@[-`{-~]/.test(this.#source.charAt(this.#at + 1)))
      this.#put(this.#source.charAt(this.#at + 1), this.#at + 2);
  }

  #code(): void {
    const length = this.#runLength('`');
    const start = this.#at + length;
    if (length > maxBackticks || this.#unmatched.has(length)) {
      this.#at = start;
      return;
    }
    let close = start;
    while (close < this.#source.length) {
      close = this.#source.indexOf('`', close);
      if (close < 0) break;
      let end = close;
      while (this.#source.charAt(end) === '`') end++;
      if (end - close === length) {
        this.#put(this.#source.slice(start, close), end);
        return;
      }
      close = end;
    }
    this.#unmatched.add(length);
    this.#at = start;
  }

  #openBracket(image: boolean): void {
    const at = this.#at;
    this.#put(image ? '![' : '[', at + (image ? 2 : 1));
    if (this.#brackets.length < maxOpenBrackets)
      this.#brackets.push({ at: at + (image ? 2 : 1), piece: this.#pieces.length - 1, image });
  }

  #closeBracket(): void {
    const open = this.#brackets.pop();
    if (open === undefined) return;
    const close = this.#at;
    const label = close - open.at <= maxLabel ? this.#source.slice(open.at, close) : undefined;
    if (label?.startsWith('^')) {
      // A footnote's mark.
      this.#put('', close + 1);
      this.#pieces.length = open.piece;
      return;
    }
    const target = this.#target(close + 1, label);
    if (target === undefined) return;
    this.#put('', target.end);
    this.#pieces[open.piece] = '';
    if (!open.image) this.#references.add(target.url, true);
  }

  /** The part after a closing bracket: `(url "title")`, `[label]`, or nothing for a label of its own. */
  #target(at: number, label: string | undefined): { readonly url: string; readonly end: number } | undefined {
    const next = this.#source.charAt(at);
    if (next === '(') {
      const match = this.#match(destination, at);
      if (match !== null)
        return { url: (match[1] ?? match[2] ?? '').replace(/\\(.)/g, '$1'), end: destination.lastIndex };
    }
    if (next === '[') {
      const close = this.#source.slice(at + 1, at + 2 + maxLabel).indexOf(']');
      const named = close < 0 ? undefined : this.#source.slice(at + 1, at + 1 + close);
      const url =
        named === undefined
          ? undefined
          : this.#definitions.get(linkLabel(named === '' ? (label ?? '') : named));
      if (url !== undefined) return { url, end: at + close + 2 };
    }
    const url = label === undefined ? undefined : this.#definitions.get(linkLabel(label));
    return url === undefined ? undefined : { url, end: at };
  }

  #angle(): void {
    const link = this.#match(autolink);
    if (link?.[1] !== undefined) {
      this.#references.add(link[1], true);
      this.#put(link[1], autolink.lastIndex);
      return;
    }
    if (this.#source.startsWith('<!--', this.#at)) {
      const end = this.#commentsEnd ? -1 : this.#source.indexOf('-->', this.#at);
      if (end >= 0) {
        this.#put('', end + 3);
        return;
      }
      this.#commentsEnd = true;
      return;
    }
    const tag = this.#match(htmlTag);
    if (tag?.[1] === undefined) return;
    const element = elementsByName.find(tag[1], 0, tag[1].length);
    const href = /\shref\s*=\s*["']?([^"'\s>]+)/i.exec(tag[0])?.[1];
    if (href !== undefined && element?.name === 'a') this.#references.add(href, true);
    const alt = element?.name === 'img' ? /\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag[0]) : null;
    const apart = element !== undefined && (element.block || element.spaced || element.empty);
    this.#put(alt === null ? (apart ? ' ' : '') : ` ${alt[1] ?? alt[2] ?? ''} `, htmlTag.lastIndex);
  }

  #entity(): void {
    const match = this.#match(entity);
    if (match === null) return;
    const [, decimal, hexadecimal, name] = match;
    const end = entity.lastIndex;
    if (name !== undefined) {
      this.#put(namedEntities.get(name.toLowerCase()) ?? '', end);
      return;
    }
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000);
    this.#put(valid ? String.fromCodePoint(code) : '\ufffd', end);
  }

  // Close to CommonMark's rule: marks with a space on both sides, and underscores within a word, are text.
  #emphasis(character: string): void {
    const length = this.#runLength(character);
    const end = this.#at + length;
    const before = this.#source.charAt(this.#at - 1);
    const after = this.#source.charAt(end);
    const apart = /^\s?$/.test(before) && /^\s?$/.test(after);
    const within = character === '_' && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
    if (apart || within || (character === '~' && length !== 2)) this.#at = end;
    else this.#put('', end);
  }

  #bareUrl(): void {
    if (/[\p{L}\p{N}]/u.test(this.#source.charAt(this.#at - 1))) return;
    const match = this.#match(bareUrl);
    if (match === null) return;
    const url = match[0].replace(/[.,;:!?*_~]{1,9}$/, '');
    this.#references.add(url, true);
    this.#at += url.length;
  }
}
