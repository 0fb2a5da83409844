import { Parser } from 'htmlparser2';
import { feedDate } from './feed.ts';

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
/** Languages of one page. */
const maxAlternates = 200;

function secondsOf(text: string): number | undefined {
  const ms = /^\d{4}-\d{2}(-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2}))?)?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isFinite(ms) && ms >= 0 ? Math.floor(ms / 1000) : undefined;
}

/** Elements that hold one entry: of a sitemap, an RSS feed, an Atom feed. */
const entryNames: ReadonlySet<string> = new Set(['url', 'sitemap', 'item', 'entry']);
const rootNames: ReadonlySet<string> = new Set(['urlset', 'sitemapindex', 'rss', 'rdf', 'feed']);
const dateNames: ReadonlySet<string> = new Set(['lastmod', 'pubdate', 'date', 'updated']);

/**
 * Reads the forms of sitemaps.org piece by piece: XML, RSS and Atom, and a text of one address per line. It keeps only
 * the current entry in memory.
 */
export class SitemapReader {
  readonly #found: SitemapEntry[] = [];
  readonly #parser: Parser;
  /** Whether it is a text; undefined before its first line. */
  #isText: boolean | undefined;
  #line = '';
  #isSitemap = false;
  #isWhole = false;
  #isEnding = false;
  #tooDeep = false;
  #depth = 0;
  #field: 'loc' | 'lastmod' | 'guid' | undefined;
  /** Open elements within the entry: extensions (images, videos) have a nested `loc` of their own. */
  #inside = 0;
  #loc = '';
  #lastmod = '';
  /** The identifier of an RSS item, which is its address where it has no link (RSS 2.0). */
  #guid = '';
  /** The page of the current entry in other languages. */
  readonly #alternates = new Set<string>();

  constructor() {
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#open(localName(name), attributes),
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
    return this.#isWhole || this.#isText === true;
  }

  /** Whether elements are nested too deeply. Deeper nesting makes each further element slower to read. */
  get tooDeep(): boolean {
    return this.#tooDeep;
  }

  write(text: string): SitemapEntry[] {
    if (this.#isText === undefined) {
      const start = (this.#line + text).replace(/^[\s\ufeff]+/, '').slice(0, maxUrlLength);
      if (start === '') return [];
      this.#isText = !start.startsWith('<');
    }
    if (this.#isText) this.#lines(text);
    else this.#parser.write(text);
    return this.#found.splice(0);
  }

  end(): SitemapEntry[] {
    this.#isEnding = true;
    if (this.#isText) this.#lines('\n');
    else this.#parser.end();
    return this.#found.splice(0);
  }

  /** Complete lines; a text whose first line is no address is no sitemap. */
  #lines(text: string): void {
    const lines = text.split(/\r\n?|\n/);
    lines[0] = (this.#line + lines[0]).slice(0, maxUrlLength + 1);
    this.#line = lines.pop() ?? '';
    for (const line of lines) {
      const url = line.replace(/^\ufeff/, '').trim();
      if (url === '' || this.#tooDeep) continue;
      if (/^https?:\/\/\S/i.test(url)) this.#isSitemap = true;
      else if (!this.#isSitemap) this.#tooDeep = true;
      if (this.#isSitemap && !url.startsWith('#')) this.#found.push({ kind: 'page', url });
    }
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    this.#tooDeep ||= this.#depth > maxElementDepth;
    if (rootNames.has(name)) this.#isSitemap = true;
    else if (entryNames.has(name)) {
      this.#loc = '';
      this.#lastmod = '';
      this.#guid = '';
      this.#alternates.clear();
      this.#inside = 0;
      return;
    }
    this.#inside += 1;
    const isField = this.#inside === 1 && this.#isSitemap;
    if (isField && name === 'link') this.#link(attributes);
    if (isField && this.#loc === '' && (name === 'loc' || (name === 'link' && attributes.href === undefined)))
      this.#field = 'loc';
    else this.#field = isField && dateNames.has(name) ? 'lastmod' : undefined;
    if (isField && name === 'guid' && attributes.isPermaLink !== 'false') this.#field = 'guid';
    if (this.#field === 'lastmod') this.#lastmod = '';
  }

  /** The page of an Atom entry, or a page in another language. */
  #link({ href, rel = 'alternate', hreflang }: Readonly<Record<string, string>>): void {
    if (href === undefined || rel !== 'alternate') return;
    const url = href.slice(0, maxUrlLength + 1);
    if (hreflang !== undefined && this.#alternates.size < maxAlternates) this.#alternates.add(url.trim());
    else if (this.#loc === '') this.#loc = url;
  }

  #text(text: string): void {
    if (this.#field === 'loc') this.#loc = (this.#loc + text).slice(0, maxUrlLength + 1);
    else if (this.#field === 'lastmod') this.#lastmod = (this.#lastmod + text).slice(0, 64);
    else if (this.#field === 'guid') this.#guid = (this.#guid + text).slice(0, maxUrlLength + 1);
  }

  #close(name: string): void {
    this.#field = undefined;
    this.#depth -= 1;
    this.#inside -= 1;
    // When the input ends inside an element, its address may be incomplete.
    if (this.#isEnding) return;
    if (this.#depth === 0) this.#isWhole = true;
    if (!this.#isSitemap || !entryNames.has(name)) return;
    const guid = this.#guid.trim();
    const url = this.#loc.trim() || (/^https?:\/\//i.test(guid) ? guid : '');
    const lastmod = this.#lastmod.trim();
    const modified = secondsOf(lastmod) ?? feedDate(lastmod);
    const kind = name === 'sitemap' ? 'sitemap' : 'page';
    if (url !== '') this.#found.push({ kind, url, ...(modified !== undefined && { modified }) });
    for (const other of this.#alternates) if (other !== url) this.#found.push({ kind, url: other });
    this.#loc = '';
    this.#alternates.clear();
  }
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1).toLowerCase();
