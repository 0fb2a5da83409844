import { Parser } from 'htmlparser2';
import { readFragment } from '../html/index.ts';
import { declaredCharset, decodeText, oneLine } from '../text/index.ts';
import { localName } from '../xml/index.ts';
import { type Feed, FeedCollector, type FeedItem } from './feed.ts';
import { FeedFields, factsOf, itemOf } from './feed-fields.ts';
import { readJsonFeed } from './json-feed.ts';

/** How a feed is read. */
export interface FeedOptions {
  /** The charset in the HTTP header. */
  readonly charset?: string | undefined;
  /** Its address, against which links in texts are resolved. */
  readonly url?: string;
  /** Receives the texts of each entry. */
  readonly onItem?: (item: FeedItem) => void;
}

const maxText = 256 * 1024;
// Feeds with HTML in them leave hundreds of elements open.
const maxElementDepth = 5000;
/** Characters read at a time: the depth is checked after each piece. */
const pieceLength = 16 * 1024;

/** Read RSS (0.9 to 2.0, RDF too), Atom (RFC 4287) or a JSON Feed (1.x); undefined for anything else. */
export function readFeed(bytes: Uint8Array, options: FeedOptions = {}): Feed | undefined {
  const { charset, url = 'about:blank', onItem } = options;
  const text = decodeText(bytes, charset, declaredCharset(bytes));
  if (/^\s*\{/.test(text.slice(0, 1000))) return readJsonFeed(text, url, onItem);
  const reader = new XmlFeedReader(url, onItem);
  return reader.read(text);
}

// An entry may be a document of its own (RFC 4287 section 2).
const roots: ReadonlySet<string> = new Set(['rss', 'feed', 'rdf', 'entry']);
const entryNames: ReadonlySet<string> = new Set(['item', 'entry']);

/** The element whose text is being read. */
interface OpenField {
  readonly name: string;
  readonly depth: number;
  value: string;
  /** Whether the value is HTML. */
  html: boolean;
  /** The element inside it that was opened last. */
  inner: string;
}

const texts: ReadonlySet<string> = new Set([
  'title',
  'description',
  'summary',
  'content',
  'encoded',
  'subtitle',
  'tagline',
  'media:description',
  'itunes:summary',
  'rights',
  'copyright',
]);
// Their value is the text of the elements inside.
const lists: ReadonlySet<string> = new Set(['author', 'contributor', 'creator']);
// Elements of these modules have names of their own: `media:title` is no title of the entry.
const modules = /^(?:media|itunes|googleplay|georss|thr|podcast|wfw):/;

class XmlFeedReader {
  readonly #collector = new FeedCollector();
  readonly #url: string;
  readonly #onItem: ((item: FeedItem) => void) | undefined;
  readonly #channel = new FeedFields();
  readonly #bases: string[] = [];
  #root = '';
  #version: string | undefined;
  #depth = 0;
  #tooDeep = false;
  /** Depth of the element that holds the channel's fields; 0 before it and -1 behind it. */
  #channelDepth = 0;
  #entry: { readonly depth: number; readonly fields: FeedFields } | undefined;
  #field: OpenField | undefined;

  constructor(url: string, onItem: ((item: FeedItem) => void) | undefined) {
    this.#url = url;
    this.#onItem = onItem;
  }

  read(text: string): Feed | undefined {
    const parser = new Parser(
      {
        onopentag: (tag, attributes) => this.#open(tag, attributes),
        ontext: (part) => this.#text(part),
        onclosetag: (tag) => this.#close(localName(tag)),
      },
      { xmlMode: true, lowerCaseTags: true, lowerCaseAttributeNames: true, decodeEntities: true },
    );
    for (let at = 0; at < text.length && !this.#tooDeep; at += pieceLength)
      parser.write(text.slice(at, at + pieceLength));
    // With this depth each further element costs more, and so do their ends.
    if (this.#tooDeep) return undefined;
    parser.end();
    if (!roots.has(this.#root)) return undefined;
    const format = this.#isAtom ? 'Atom' : 'RSS';
    return this.#collector.feed(factsOf(this.#channel, format, this.#version));
  }

  get #isAtom(): boolean {
    return entryNames.has(this.#root) || this.#root === 'feed';
  }

  get #base(): string {
    return this.#bases.at(-1) ?? '';
  }

  #open(tag: string, attributes: Attributes): void {
    this.#depth += 1;
    this.#tooDeep ||= this.#depth > maxElementDepth;
    const name = localName(tag);
    if (this.#depth === 1) {
      this.#root = name;
      this.#version = attributes.version ?? (name === 'rdf' || name === 'feed' ? '1.0' : undefined);
      if (name === 'feed') this.#channelDepth = 1;
      this.#channel.add('xml:lang', attributes['xml:lang'] ?? '');
    }
    const base = attributes['xml:base'];
    if (this.#bases.length < 64)
      this.#bases.push(base === undefined ? this.#base : resolved(base, this.#base));
    if (this.#entry === undefined && entryNames.has(name)) {
      // A field of the channel that was never closed ends here.
      this.#field = undefined;
      this.#entry = { depth: this.#depth, fields: new FeedFields() };
    } else if (this.#field !== undefined) inside(this.#field, name, attributes);
    else if (tag === 'media:group') return;
    else if (name === 'channel' && this.#channelDepth === 0) this.#channelDepth = this.#depth;
    else if (name === 'link' && attributes.href !== undefined) this.#link(attributes);
    // Dates and links of other elements inside an entry are nested deeper.
    else if (
      this.#depth === (this.#entry?.depth ?? (this.#channelDepth || Number.NaN)) + 1 ||
      tag === 'media:description'
    )
      this.#begin(modules.test(tag) ? tag : name, attributes);
  }

  #link({ rel = 'alternate', href = '' }: Attributes): void {
    const link = resolved(href, this.#base);
    const entry = this.#entry;
    if (entry === undefined) {
      if (rel === 'next' || (rel === 'prev-archive' && this.#collector.next === undefined))
        this.#collector.next = link;
      else this.#channel.add(`link ${rel}`, link);
    } else if (this.#depth === entry.depth + 1) {
      if (rel === 'alternate' && !entry.fields.has('link')) entry.fields.add('link', link);
      else entry.fields.add('reference', link);
    }
  }

  #begin(name: string, { url, term, type, mode, ispermalink }: Attributes): void {
    const fields = this.#fields;
    if (name === 'category' && term !== undefined) fields.add(name, term);
    if (name === 'enclosure' && url !== undefined) fields.add('reference', resolved(url, this.#base));
    const permanent = name !== 'guid' || ispermalink !== 'false';
    // In RSS any text may be HTML; Atom says where.
    const html = texts.has(name) && (!this.#isAtom || /html|xml/.test(type ?? '') || mode === 'escaped');
    this.#field = { name: permanent ? name : '', depth: this.#depth, value: '', html, inner: '' };
  }

  get #fields(): FeedFields {
    return this.#entry?.fields ?? this.#channel;
  }

  #text(part: string): void {
    const field = this.#field;
    if (field === undefined || field.value.length >= maxText) return;
    const nested = this.#depth > field.depth;
    // Of a person only the name is taken.
    if (nested && /^(?:email|uri|url)$/.test(field.inner) && lists.has(field.name)) return;
    field.value += nested && field.html ? escaped(part) : part;
  }

  #close(name: string): void {
    const field = this.#field;
    const entry = this.#entry;
    if (field !== undefined && this.#depth > field.depth) {
      if (lists.has(field.name)) field.value += ' ';
      else if (field.value.length < maxText) field.value += `</${name}>`;
    } else if (field !== undefined && this.#depth === field.depth) {
      this.#take(field);
      this.#field = undefined;
    }
    if (entry !== undefined && this.#depth === entry.depth) {
      this.#entry = undefined;
      const item = itemOf(entry.fields);
      this.#collector.add(item.link, item.modified);
      this.#onItem?.(item);
    }
    if (this.#depth === this.#channelDepth) this.#channelDepth = -1;
    if (this.#depth <= this.#bases.length) this.#bases.pop();
    this.#depth -= 1;
  }

  #take({ name, value, html }: OpenField): void {
    const fields = this.#fields;
    if (!texts.has(name)) fields.add(name, value);
    // An enumerator reads no texts of entries.
    else if (this.#entry === undefined || this.#onItem !== undefined) {
      const { text, references } = html
        ? readFragment(value, this.#base || this.#url)
        : { text: oneLine(value), references: undefined };
      fields.add(name, text);
      for (const reference of references?.references ?? []) fields.add('reference', reference);
    }
  }
}

type Attributes = Readonly<Record<string, string>>;

/** An element within a field: HTML that was not escaped, XHTML of Atom, or a part of a person. */
function inside(field: OpenField, name: string, { href, src }: Attributes): void {
  field.inner = name;
  if (lists.has(field.name) || field.value.length >= maxText) return;
  if (!field.html) field.value = escaped(field.value);
  field.html = true;
  const address =
    href === undefined ? (src === undefined ? '' : ` src="${escaped(src)}"`) : ` href="${escaped(href)}"`;
  field.value += `<${name}${address}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function resolved(link: string, base: string | undefined): string {
  return base && URL.canParse(link, base) ? new URL(link, base).href : link;
}
