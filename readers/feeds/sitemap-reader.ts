import { Parser } from 'htmlparser2';

/** One entry of a sitemap: a page, or another sitemap. */
export interface SitemapEntry {
  readonly kind: 'page' | 'sitemap';
  readonly url: string;
  /** Last modification, seconds since 1970, if the sitemap has a valid one. */
  readonly modified?: number;
}

/** Longer addresses are cut to one character more, so that they are recognised as too long. */
const maxUrlLength = 8192;
const maxElementDepth = 50;

function secondsOf(text: string): number | undefined {
  const ms = /^\d{4}-\d{2}(-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2}))?)?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isFinite(ms) && ms >= 0 ? Math.floor(ms / 1000) : undefined;
}

/** Reads the XML form piece by piece, and keeps only the current entry in memory. */
export class SitemapReader {
  readonly #found: SitemapEntry[] = [];
  readonly #parser: Parser;
  #isSitemap = false;
  #isWhole = false;
  #isEnding = false;
  #tooDeep = false;
  #depth = 0;
  #field: 'loc' | 'lastmod' | undefined;
  /** Open elements within the entry: extensions (images, videos) have a nested `loc` of their own. */
  #inside = 0;
  #loc = '';
  #lastmod = '';

  constructor() {
    this.#parser = new Parser(
      {
        onopentag: (name) => this.#open(localName(name)),
        ontext: (text) => this.#text(text),
        onclosetag: (name) => this.#close(localName(name)),
      },
      { xmlMode: true, decodeEntities: true },
    );
  }

  get isSitemap(): boolean {
    return this.#isSitemap;
  }

  /** Whether the end of the sitemap was read. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Whether elements are nested too deeply. Deeper nesting makes each further element slower to read. */
  get tooDeep(): boolean {
    return this.#tooDeep;
  }

  write(text: string): SitemapEntry[] {
    this.#parser.write(text);
    return this.#found.splice(0);
  }

  end(): SitemapEntry[] {
    this.#isEnding = true;
    this.#parser.end();
    return this.#found.splice(0);
  }

  #open(name: string): void {
    this.#depth += 1;
    this.#tooDeep ||= this.#depth > maxElementDepth;
    if (name === 'urlset' || name === 'sitemapindex') this.#isSitemap = true;
    else if (name === 'url' || name === 'sitemap') {
      this.#loc = '';
      this.#lastmod = '';
      this.#inside = 0;
      return;
    }
    this.#inside += 1;
    this.#field = this.#inside === 1 && (name === 'loc' || name === 'lastmod') ? name : undefined;
  }

  #text(text: string): void {
    if (this.#field === 'loc') this.#loc = (this.#loc + text).slice(0, maxUrlLength + 1);
    else if (this.#field === 'lastmod') this.#lastmod = (this.#lastmod + text).slice(0, 64);
  }

  #close(name: string): void {
    this.#field = undefined;
    this.#depth -= 1;
    this.#inside -= 1;
    // When the input ends inside an element, its address may be incomplete.
    if (this.#isEnding) return;
    if (this.#depth === 0) this.#isWhole = true;
    if (!this.#isSitemap || (name !== 'url' && name !== 'sitemap')) return;
    const url = this.#loc.trim();
    const modified = secondsOf(this.#lastmod.trim());
    if (url !== '')
      this.#found.push({
        kind: name === 'sitemap' ? 'sitemap' : 'page',
        url,
        ...(modified !== undefined && { modified }),
      });
    this.#loc = '';
  }
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1).toLowerCase();
