import { beginning, keptLines, oneLine, resolvedUrl, type TextBlocks } from '../text/index.ts';
import type { XmlEvents } from './xml-scanner.ts';

/** The meaning of an element that many vocabularies share. */
export type OutlineKind = 'title' | 'name' | 'author' | 'description' | 'keywords' | 'publisher' | 'date';

// Local names in lower case, of DocBook, TEI, Dublin Core, JATS, MODS and the like.
const kinds: ReadonlyMap<string, OutlineKind> = new Map(
  Object.entries({
    title: 'title',
    articletitle: 'title',
    'article-title': 'title',
    'work-title': 'title',
    'movement-title': 'title',
    titleproper: 'title',
    name: 'name',
    author: 'author',
    creator: 'author',
    contrib: 'author',
    editor: 'author',
    abstract: 'description',
    description: 'description',
    summary: 'description',
    desc: 'description',
    keywords: 'keywords',
    keyword: 'keywords',
    subject: 'keywords',
    kwd: 'keywords',
    tag: 'keywords',
    publisher: 'publisher',
    publishername: 'publisher',
    pubdate: 'date',
    date: 'date',
  }),
);
/** Elements within a line: they do not part words, but others do. */
const inline: ReadonlySet<string> = new Set(
  'emphasis em b i u bold italic sub sup span a link ulink xref hi foreign quote literal code command filename option ref tt strong firstterm application replaceable varname function citetitle'.split(
    ' ',
  ),
);
/** A metadata element counts near the root, or within one of these. */
const holders = /(?:info|header|stmt|metadata|front|meta|channel|article-meta|rdf:description|^trk|^rte)$/i;
const ofParts: ReadonlySet<string> = new Set(['name', 'desc', 'keywords']);

const maxNames = 2000;
const maxValues = 64;
const maxValue = 4000;
const maxHeadings = 2000;
const maxBlock = 64 * 1024;
const maxLinks = 20_000;
const maxLink = 8192;
const maxBases = 64;
const shallow = 3;

/** XML's outline from its events: element counts, metadata, headings, and a block per element with text. */
export class XmlOutline implements XmlEvents {
  root: string | undefined;
  doctype: string | undefined;
  language: string | undefined;
  elements = 0;
  readonly headings: string[] = [];
  readonly links = new Set<string>();
  readonly #namespaces = new Set<string>();
  readonly #counts = new Map<string, number>();
  readonly #values = new Map<OutlineKind, string[]>();
  readonly #blocks: TextBlocks;
  #text = '';
  // The metadata element being read, how deep it began, and its words.
  #kind: OutlineKind | undefined;
  #kindDepth = 0;
  #kindText = '';
  /** The bases of relative links, outermost first. */
  readonly #bases: { readonly depth: number; readonly base: string }[] = [];
  /** The depth of the metadata element whose children count at any place. */
  #holderDepth = 0;

  constructor(blocks: TextBlocks) {
    this.#blocks = blocks;
  }

  get namespaces(): readonly string[] {
    return [...this.#namespaces];
  }

  first(kind: OutlineKind): string | undefined {
    return this.#values.get(kind)?.[0];
  }

  all(kind: OutlineKind): readonly string[] {
    return this.#values.get(kind) ?? [];
  }

  /** `name: count`, the most frequent first, of the first fifty. */
  commonest(): string[] {
    return [...this.#counts]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 50)
      .map(([name, count]) => `${name}: ${count}`);
  }

  open(name: string, attributes: ReadonlyMap<string, string>, depth: number): void {
    this.elements++;
    this.root ??= name;
    const count = this.#counts.get(name);
    if (count !== undefined || this.#counts.size < maxNames)
      this.#counts.set(beginning(name, 200), (count ?? 0) + 1);
    const base = this.#baseAt(depth, attributes.get('xml:base'));
    for (const [key, value] of attributes) {
      if (key.startsWith('xmlns') && this.#namespaces.size < 100)
        this.#namespaces.add(beginning(oneLine(value), 300));
      else if (depth === 1 && (key === 'xml:lang' || key === 'lang')) this.language = value;
      else if (
        /^(?:xlink:href|href|url|src|target)$/.test(key) &&
        value.length <= maxLink &&
        this.links.size < maxLinks
      ) {
        const url = base === undefined ? value : (resolvedUrl(value, base) ?? '');
        if (/^(?:https?|ftp):/.test(url)) this.links.add(url);
      }
    }
    const local = localName(name);
    if (!inline.has(local)) this.#endBlock('paragraph');
    const holds = holders.test(name) || (depth === 2 && (local === 'document' || local === 'folder'));
    if (this.#holderDepth === 0 && holds) this.#holderDepth = depth;
    // Many vocabularies name their parts too; only the names of the whole and of its header count.
    const ofWhole = depth === 2 || (this.#holderDepth > 0 && depth === this.#holderDepth + 1);
    const kind = ofParts.has(local) && !ofWhole ? undefined : kinds.get(local);
    if (kind !== undefined && this.#kind === undefined) {
      this.#kind = kind;
      this.#kindDepth = depth;
      this.#kindText = '';
    } else if (this.#kind !== undefined && !inline.has(local) && this.#kindText.length < maxValue)
      this.#kindText += ' ';
  }

  /** The base of relative links in an element (XML Base), if it has one. */
  #baseAt(depth: number, written: string | undefined): string | undefined {
    while ((this.#bases.at(-1)?.depth ?? 0) >= depth) this.#bases.pop();
    const outer = this.#bases.at(-1)?.base;
    if (written === undefined || this.#bases.length >= maxBases) return outer;
    const base = resolvedUrl(written, outer ?? written);
    if (base === undefined || !/^(?:https?|ftp):/.test(base)) return outer;
    this.#bases.push({ depth, base });
    return base;
  }

  text(text: string): void {
    if (this.#kind !== undefined && this.#kindText.length < maxValue) this.#kindText += text;
    if (this.#blocks.open && this.#text.length < maxBlock) this.#text += text;
    else if (this.#blocks.open) {
      this.#endBlock('paragraph');
      this.#text = text;
    }
  }

  close(name: string, depth: number): void {
    const ended = this.#kind !== undefined && depth === this.#kindDepth ? this.#kind : undefined;
    if (ended !== undefined) {
      const value = oneLine(beginning(this.#kindText, maxValue));
      this.#kind = undefined;
      const near = ended === 'name' || depth <= shallow || this.#holderDepth > 0;
      if (value !== '') {
        const list = this.#values.get(ended) ?? [];
        if (near && list.length < maxValues && !list.includes(value))
          this.#values.set(ended, [...list, value]);
        if (ended === 'title' && this.headings.length < maxHeadings)
          this.headings.push(beginning(value, 500));
      }
    }
    if (!inline.has(localName(name))) this.#endBlock(ended === 'title' ? 'heading' : 'paragraph');
    if (depth === this.#holderDepth) this.#holderDepth = 0;
  }

  instruction(text: string): void {
    const doctype = /^!?DOCTYPE\s+([^\s[>]{1,200})(?:\s+PUBLIC\s+["']([^"']{1,300})["'])?/i.exec(text);
    if (doctype !== null) this.doctype ??= [doctype[1], doctype[2]].filter(Boolean).join(' ');
  }

  /** To be called after the last event. */
  finish(): void {
    this.#endBlock('paragraph');
  }

  #endBlock(kind: 'heading' | 'paragraph'): void {
    if (this.#text === '') return;
    const text = keptLines(this.#text).replaceAll('\n', ' ');
    this.#text = '';
    if (text !== '') this.#blocks.add(text, kind);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}
