/** Max characters of a page that are sketched. */
const maxLength = 64 * 1024;
const maxUnits = 2000;

/** What a page shows, as hashes of its pieces of text; the words of its own address are left out. */
export interface PageSketch {
  /** Pieces of words, each once, and addresses of pictures and other media. */
  readonly units: ReadonlySet<number>;
  /** Figures that are no day, year or part of the address. */
  readonly figures: ReadonlySet<number>;
  /** Title and first heading, shortened. */
  readonly title: string;
}

const firstHash = 0x811c9dc5;

function hashOf(text: string, from = firstHash): number {
  let hash = from;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

const isPage = /^\s*(?:text\/|application\/xhtml\+xml)/i;
const hidden = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const media = /<(?:img|video|audio|source|embed|iframe)\b[^>]*?\bsrc\s*=\s*["']?([^"'\s>]{1,500})/gi;
const word = /[a-z\x80-\xff]+|\d[\d.,]*/gi;

/** Words and figures of an address, in lower case and without escapes. */
function wordsOf(url: string): ReadonlySet<string> {
  const plain = url.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return new Set(plain.toLowerCase().match(word) ?? []);
}

/** A day, a month, a year or a small number: every calendar and every list of pages has them. */
const isOrdinal = (figure: string) => /^(?:\d{1,2}|(?:19|20|21)\d\d)[.,]?$/.test(figure);

/** Sketches a page of HTML or text; undefined for other content. */
export function sketchOf(
  url: string,
  bytes: Uint8Array,
  contentType: string | undefined,
): PageSketch | undefined {
  if (contentType !== undefined && !isPage.test(contentType)) return undefined;
  const { buffer, byteOffset, length } = bytes;
  const text = Buffer.from(buffer, byteOffset, Math.min(length, maxLength)).toString('latin1');
  const isHtml = /html/i.test(contentType ?? '') || /<(?:!doctype|html|head|body|title|a|p)\b/i.test(text);
  const own = wordsOf(url);
  const units = new Set<number>();
  const figures = new Set<number>();
  const shown = isHtml ? text.replace(hidden, '<>') : text;
  for (const piece of shown.split(isHtml ? /<[^>]*>?/ : '\n')) {
    let hash = firstHash;
    let letters = 0;
    for (const found of piece.match(word) ?? []) {
      const low = found.toLowerCase();
      if (own.has(low)) continue;
      if (!/^\d/.test(low)) {
        hash = hashOf(low, Math.imul(hash, 31));
        letters += low.length;
      } else if (!isOrdinal(low) && figures.size < maxUnits) figures.add(hashOf(low));
    }
    if (letters > 1 && units.size < maxUnits) units.add(hash);
  }
  if (isHtml) for (const [, source = ''] of shown.matchAll(media)) units.add(hashOf(source));
  const titles = ['title', 'h1'].map(
    (name) => new RegExp(`<${name}\\b[^>]*>([^<]{1,200})`, 'i').exec(shown)?.[1] ?? '',
  );
  return { units, figures, title: Buffer.from(titles.join('\n'), 'latin1').toString('utf8') };
}

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
  if (page.units.size === 0) return 1;
  let shared = 0;
  for (const unit of page.units) if (other.units.has(unit)) shared += 1;
  return shared / page.units.size;
}
