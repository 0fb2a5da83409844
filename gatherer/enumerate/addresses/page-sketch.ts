import { unescapedBytes } from '../../../readers/bytes/index.ts';

/** Max characters of a page that are sketched. */
const maxLength = 64 * 1024;
const maxUnits = 2000;
const maxTag = 600;
/** Characters in which the title of a page is sought. */
const headLength = 16 * 1024;

/** What a page shows, as hashes of its pieces of text. */
export interface PageSketch {
  /** Pieces of words, each once, and addresses of media; the words of the page's own address are left out. */
  readonly units: ReadonlySet<number>;
  /** Pieces of all words. */
  readonly pieces: ReadonlySet<number>;
  /** Figures that are no day, year or part of the address. */
  readonly figures: ReadonlySet<number>;
  /** Title and first heading, shortened. */
  readonly title: string;
}

const firstHash = 0x811c9dc5;
const next = (hash: number, code: number) => Math.imul(hash ^ code, 0x01000193);
const joined = (hash: number, word: number) => Math.imul(Math.imul(hash, 31) ^ word, 0x01000193);

const isPage = /^\s*(?:text\/|application\/xhtml\+xml)/i;
const media = /^<(?:img|video|audio|source|embed|iframe)\b[^>]*?\bsrc\s*=\s*["']?([^"'\s>]{1,500})/i;
const hidden = /^<(script|style)\b/i;

const [less, newline, dot, comma] = [0x3c, 0x0a, 0x2e, 0x2c];

/** The kind of each byte: 1 for letters and all beyond ASCII, 2 for digits. */
const kinds = Uint8Array.from({ length: 256 }, (_, code) =>
  code >= 0x30 && code <= 0x39 ? 2 : code >= 0x80 || /[a-z]/i.test(String.fromCharCode(code)) ? 1 : 0,
);
const lower = Uint8Array.from({ length: 256 }, (_, code) =>
  code >= 0x41 && code <= 0x5a ? code + 32 : code,
);

/** A day, a month, a year or a small number: every calendar and every list of pages has them. */
const isOrdinal = (figure: string) => /^(?:\d{1,2}|(?:19|20|21)\d\d)[.,]?$/.test(figure);

/** Reads the words and figures of a text. */
class Words {
  readonly #own: ReadonlySet<number>;
  readonly units = new Set<number>();
  readonly pieces = new Set<number>();
  readonly figures = new Set<number>();
  readonly words = new Set<number>();
  #unit = firstHash;
  #piece = firstHash;
  #letters = 0;

  /** `own`: words that do not count, as hashes. */
  constructor(own: ReadonlySet<number>) {
    this.#own = own;
  }

  /** Read from `at`; returns the end of the word or figure, or the next place. */
  read(bytes: Buffer, at: number): number {
    const kind = kinds[bytes[at] as number];
    if (kind === 0) return at + 1;
    let end = at;
    let hash = firstHash;
    for (; end < bytes.length; end += 1) {
      const code = bytes[end] as number;
      if (kinds[code] !== kind && !(kind === 2 && (code === dot || code === comma))) break;
      hash = next(hash, lower[code] as number);
    }
    if (kind === 2) this.#figure(bytes.toString('latin1', at, end), hash);
    else this.#word(hash, end - at);
    return end;
  }

  /** A piece of text ends. */
  end(): void {
    if (this.#piece !== firstHash && this.pieces.size < maxUnits) this.pieces.add(this.#piece >>> 0);
    if (this.#letters > 1 && this.units.size < maxUnits) this.units.add(this.#unit >>> 0);
    this.#unit = firstHash;
    this.#piece = firstHash;
    this.#letters = 0;
  }

  /** Something that is no text but content, as a picture. */
  add(source: string): void {
    let hash = firstHash;
    for (let at = 0; at < source.length; at += 1) hash = next(hash, source.charCodeAt(at));
    if (this.units.size < maxUnits) this.units.add(hash >>> 0);
  }

  #word(hash: number, length: number): void {
    this.#piece = joined(this.#piece, hash);
    if (this.#own.has(hash)) return;
    this.#unit = joined(this.#unit, hash);
    this.#letters += length;
    if (this.words.size < maxUnits) this.words.add(hash);
  }

  #figure(written: string, hash: number): void {
    if (this.#own.has(hash)) return;
    if (this.words.size < maxUnits) this.words.add(hash);
    if (!isOrdinal(written) && this.figures.size < maxUnits) this.figures.add(hash >>> 0);
  }
}

/** Hashes of the words and figures of an address, without escapes. */
function wordsOf(url: string): ReadonlySet<number> {
  const bytes = Buffer.from(unescapedBytes(url, '%'), 'latin1');
  const words = new Words(new Set());
  for (let at = 0; at < bytes.length; ) at = words.read(bytes, at);
  return words.words;
}

/** The end of a tag, a comment or hidden content that begins at `at`. */
function tagEnd(bytes: Buffer, at: number, tag: string): number {
  const [, name] = hidden.exec(tag) ?? [];
  const ending = tag.startsWith('<!--') ? '-->' : name === undefined ? '>' : `</${name}`;
  const found = bytes.indexOf(ending, at + 1, 'latin1');
  if (found >= 0) return found + (name === undefined ? ending.length : 0);
  const end = bytes.indexOf('>', at + 1, 'latin1');
  return end < 0 ? bytes.length : end + 1;
}

/** Sketches a page of HTML or text; undefined for other content. */
export function sketchOf(
  url: string,
  content: Uint8Array,
  contentType: string | undefined,
): PageSketch | undefined {
  if (contentType !== undefined && !isPage.test(contentType)) return undefined;
  const bytes = Buffer.from(content.buffer, content.byteOffset, Math.min(content.length, maxLength));
  const start = bytes.toString('latin1', 0, headLength);
  const isHtml = /html/i.test(contentType ?? '') || /<(?:!doctype|html|head|body|title|a|p)\b/i.test(start);
  const words = new Words(wordsOf(url));
  for (let at = 0; at < bytes.length; ) {
    const code = bytes[at] as number;
    if (isHtml && code === less) {
      words.end();
      const after = lower[bytes[at + 1] ?? 0] as number;
      // Only some tags matter: comments, hidden content and media.
      const matters = tagStarts.has(after) ? bytes.toString('latin1', at, at + maxTag) : '';
      const [, source] = media.exec(matters) ?? [];
      if (source !== undefined) words.add(source);
      at = tagEnd(bytes, at, matters);
    } else {
      if (!isHtml && code === newline) words.end();
      at = words.read(bytes, at);
    }
  }
  words.end();
  const titles = ['title', 'h1'].map(
    (name) => new RegExp(`<${name}\\b[^>]*>([^<]{1,200})`, 'i').exec(start)?.[1] ?? '',
  );
  const { units, pieces, figures } = words;
  return { units, pieces, figures, title: Buffer.from(titles.join('\n'), 'latin1').toString('utf8') };
}

/** First letters of the tags that matter. */
const tagStarts: ReadonlySet<number> = new Set([...'!siavei'].map((letter) => letter.charCodeAt(0)));

const tableSize = 1 << 19;

/** The pieces that pages of a site have shown so far, in 2 MiB: an old one may be forgotten. */
export class SeenText {
  #table: Uint32Array | undefined;

  has(unit: number): boolean {
    return this.#table?.[unit % tableSize] === (unit || 1);
  }

  /** Add a page; returns whether it shows something new: words, or several figures. */
  add({ units, figures }: PageSketch): boolean {
    this.#table ??= new Uint32Array(tableSize);
    const fresh = (all: ReadonlySet<number>) => [...all].filter((unit) => !this.has(unit));
    const [words, numbers] = [fresh(units), fresh(figures)];
    for (const unit of [...words, ...numbers]) this.#table[unit % tableSize] = unit || 1;
    return words.length > 0 || numbers.length > 2;
  }
}

/** How much of a page's text another page has too, from 0 to 1. */
export function contained(page: PageSketch, other: PageSketch): number {
  if (page.pieces.size === 0) return 1;
  let shared = 0;
  for (const piece of page.pieces) if (other.pieces.has(piece)) shared += 1;
  return shared / page.pieces.size;
}
