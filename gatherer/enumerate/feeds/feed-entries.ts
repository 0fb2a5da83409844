import { Parser } from 'htmlparser2';
import { declaredCharset, decodeText } from '../../../readers/text/index.ts';

/** One entry of a feed: where its document is, and when it changed. */
export interface FeedEntry {
  readonly link: string;
  /** Seconds since 1970: updated, else published. */
  readonly modified?: number;
}

/** The content of a feed, as far as an enumerator needs it. */
export interface Feed {
  readonly entries: readonly FeedEntry[];
  /** The next page (RFC 5005: `next`, `prev-archive`; JSON Feed: `next_url`). */
  readonly next: string | undefined;
  /** Number of entries without a document. */
  readonly without: number;
  /** Whether entries beyond the limit were left out. */
  readonly cut: boolean;
}

const maxEntries = 50_000;
const maxText = 8192;
// Feeds with HTML in them leave hundreds of elements open.
const maxElementDepth = 5000;
/** Characters read at a time: the depth is checked after each piece. */
const pieceLength = 16 * 1024;

/** Read RSS (0.9 to 2.0, RDF too), Atom (RFC 4287) or a JSON Feed (1.x); undefined for anything else. */
export function readFeed(bytes: Uint8Array): Feed | undefined {
  const text = decodeText(bytes, undefined, declaredCharset(bytes));
  return /^\s*\{/.test(text.slice(0, 1000)) ? readJson(text) : readXml(text);
}

/** Seconds since 1970 of an RFC 822 or RFC 3339 date, or undefined. */
function dateOf(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 60) return undefined;
  const ms = Date.parse(text.trim());
  return Number.isFinite(ms) && ms >= 0 ? Math.floor(ms / 1000) : undefined;
}

class FeedCollector {
  readonly entries: FeedEntry[] = [];
  next: string | undefined;
  without = 0;
  cut = false;

  add(link: string | undefined, modified: number | undefined): void {
    const trimmed = link?.trim();
    if (!trimmed) this.without += 1;
    else if (this.entries.length >= maxEntries) this.cut = true;
    else this.entries.push({ link: trimmed, ...(modified !== undefined && { modified }) });
  }
}

function readJson(text: string): Feed | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const feed = value as { version?: unknown; items?: unknown; next_url?: unknown };
  if (typeof feed.version !== 'string' || !/jsonfeed\.org/.test(feed.version) || !Array.isArray(feed.items))
    return undefined;
  const collector = new FeedCollector();
  const textOf = (item: unknown, key: string): string | undefined => {
    const found =
      typeof item === 'object' && item !== null ? (item as Record<string, unknown>)[key] : undefined;
    return typeof found === 'string' ? found : undefined;
  };
  for (const item of feed.items as unknown[])
    collector.add(
      textOf(item, 'url') ?? textOf(item, 'external_url'),
      dateOf(textOf(item, 'date_modified') ?? textOf(item, 'date_published')),
    );
  if (typeof feed.next_url === 'string') collector.next = feed.next_url;
  return collector;
}

const roots: ReadonlySet<string> = new Set(['rss', 'feed', 'rdf']);
const entryNames: ReadonlySet<string> = new Set(['item', 'entry']);
const wanted: ReadonlySet<string> = new Set([
  'link',
  'guid',
  'pubdate',
  'date',
  'updated',
  'published',
  'modified',
]);

/** The entry that is being read. */
interface OpenEntry {
  readonly depth: number;
  readonly fields: Map<string, string>;
}

function readXml(text: string): Feed | undefined {
  const collector = new FeedCollector();
  let entry: OpenEntry | undefined;
  let field: string | undefined;
  let value = '';
  let depth = 0;
  let isFeed = false;
  let tooDeep = false;
  const bases: string[] = [];
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        depth += 1;
        tooDeep ||= depth > maxElementDepth;
        const name = localName(tag);
        if (depth === 1) isFeed = roots.has(name);
        const base = attributes['xml:base'];
        if (bases.length < 64)
          bases.push(base === undefined ? (bases.at(-1) ?? '') : resolved(base, bases.at(-1)));
        if (entry === undefined && entryNames.has(name)) entry = { depth, fields: new Map() };
        else if (name === 'link' && attributes.href !== undefined) takeLink(attributes, entry);
        else if (entry !== undefined && depth === entry.depth + 1 && wanted.has(name)) {
          // Dates and links of other elements inside an entry are nested deeper.
          field = name === 'guid' && attributes.ispermalink === 'false' ? undefined : name;
          value = '';
        }
      },
      ontext(part) {
        if (field !== undefined && value.length < maxText) value += part;
      },
      onclosetag() {
        if (entry !== undefined && field !== undefined && depth === entry.depth + 1) {
          if (!entry.fields.has(field)) entry.fields.set(field, value);
          field = undefined;
        }
        if (entry !== undefined && depth === entry.depth) {
          finish(entry.fields);
          entry = undefined;
        }
        if (depth <= bases.length) bases.pop();
        depth -= 1;
      },
    },
    { xmlMode: true, lowerCaseTags: true, lowerCaseAttributeNames: true, decodeEntities: true },
  );
  const takeLink = (
    { rel = 'alternate', href = '' }: Record<string, string>,
    open: OpenEntry | undefined,
  ) => {
    const link = resolved(href, bases.at(-1));
    if (open === undefined) {
      if (rel === 'next' || (rel === 'prev-archive' && collector.next === undefined)) collector.next = link;
    } else if (rel === 'alternate' && depth === open.depth + 1 && !open.fields.has('link')) {
      open.fields.set('link', link);
    }
  };
  const finish = (fields: ReadonlyMap<string, string>) => {
    const guid = fields.get('guid');
    const link = fields.get('link') || (guid !== undefined && /^\s*https?:/.test(guid) ? guid : undefined);
    const dates = ['updated', 'modified', 'pubdate', 'date', 'published'];
    const date = dates.map((name) => dateOf(fields.get(name))).find((seconds) => seconds !== undefined);
    collector.add(link, date);
  };
  for (let at = 0; at < text.length && !tooDeep; at += pieceLength)
    parser.write(text.slice(at, at + pieceLength));
  // With this depth each further element costs more, and so do their ends.
  if (tooDeep) return undefined;
  parser.end();
  return isFeed ? collector : undefined;
}

function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1);
}

function resolved(link: string, base: string | undefined): string {
  return base && URL.canParse(link, base) ? new URL(link, base).href : link;
}
