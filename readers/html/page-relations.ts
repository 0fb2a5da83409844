import { beginning, ReferenceCollector } from '../text/index.ts';
import { Attribute, followedRelations } from './html-elements.ts';

const maxMetas = 1000;
const maxValues = 200;
const maxScripts = 50;
const maxScript = 4 * 1024 * 1024;
/** Longest text of a link or a date that is read ahead. */
const maxWords = 1000;

/** One `meta` element: one of its names (or http-equiv) in lower case and its content. */
export interface Meta {
  readonly name: string;
  readonly content: string;
}

/** The values of a start tag by `Attribute`. */
type Values = readonly (string | undefined)[];

/** Links, meta elements, dates and scripts of structured data: what a page says about itself, as written. */
export class PageRelations {
  readonly references = new ReferenceCollector();
  readonly metas: Meta[] = [];
  readonly alternates: { readonly language: string; readonly href: string }[] = [];
  readonly licences: string[] = [];
  /** HTML of the words of links with `rel=author` and `rel=tag`. */
  readonly authors: string[] = [];
  readonly tags: string[] = [];
  /** JSON-LD. */
  readonly scripts: string[] = [];
  base: string | undefined;
  canonical: string | undefined;
  image: string | undefined;
  readonly #html: string;
  readonly #published: string[] = [];
  readonly #times = new Set<string>();
  #script = -1;

  constructor(html: string) {
    this.#html = html;
  }

  /** Dates of `time` elements marked as the date of publication; else the date of all, when it is a single one. */
  get dates(): readonly string[] {
    return this.#published.length > 0 ? this.#published : this.#times.size === 1 ? [...this.#times] : [];
  }

  /** A `link`; `inHead`: before the page's first text. */
  link(values: Values, inHead: boolean): void {
    const href = values[Attribute.href];
    if (href === undefined) return;
    const relations = relationsOf(values);
    if (relations.includes('canonical') && inHead) this.canonical ??= href;
    if (relations.includes('image_src')) this.image ??= href;
    if (relations.includes('license')) add(this.licences, href);
    const language = values[Attribute.hreflang]?.trim() ?? '';
    if (relations.includes('alternate') && language !== '' && this.alternates.length < maxValues)
      this.alternates.push({ language: language.slice(0, 35), href });
    const type = values[Attribute.type];
    const page = type === undefined || /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(type);
    if (page && !relations.includes('stylesheet') && relations.some((name) => followedRelations.has(name)))
      this.references.add(href, !relations.includes('nofollow'));
  }

  /** An `a` or `area`, whose words begin at `end` of the page. */
  anchor(values: Values, end: number): void {
    const href = values[Attribute.href];
    if (href === undefined) return;
    const relations = values[Attribute.rel] === undefined ? [] : relationsOf(values);
    this.references.add(href, !relations.includes('nofollow'));
    if (relations.includes('license')) add(this.licences, href);
    if (relations.includes('author')) add(this.authors, this.#ahead(end, '</a'));
    if (relations.includes('tag')) add(this.tags, this.#ahead(end, '</a'));
  }

  meta(values: Values): void {
    const content = values[Attribute.content];
    if (content === undefined) return;
    for (const written of [values[Attribute.name], values[Attribute.property], values[Attribute.httpEquiv]]) {
      for (const name of written?.trim().toLowerCase().split(/\s+/, 4) ?? [])
        if (name !== '' && this.metas.length < maxMetas) this.metas.push({ name, content });
    }
  }

  /** A `time` element outside boilerplate, whose words begin at `end`. */
  time(values: Values, end: number): void {
    const date = values[Attribute.datetime] ?? this.#ahead(end, '</time');
    if (!/\d{4}/.test(date)) return;
    const marked =
      /(?:^|[\s_-])(?:published|pubdate|dt-published|entry-date|post-date|posted-on|publication-date)(?:[\s_-]|$)/i;
    if (values[Attribute.pubdate] !== undefined || marked.test(values[Attribute.class] ?? ''))
      add(this.#published, date);
    else if (this.#times.size < 2) this.#times.add(date);
  }

  /** A script begins whose text is at `end`. */
  startScript(values: Values, end: number): void {
    this.#script = /^\s*application\/(?:[\w.-]+\+)?ld\+json\b/i.test(values[Attribute.type] ?? '') ? end : -1;
  }

  /** A script ends at `start`. */
  endScript(start: number): void {
    if (this.#script >= 0 && this.scripts.length < maxScripts)
      this.scripts.push(this.#html.slice(this.#script, Math.min(start, this.#script + maxScript)));
    this.#script = -1;
  }

  /** The words from `start` up to an end tag, which is near. */
  #ahead(start: number, endTag: string): string {
    const near = this.#html.slice(start, start + maxWords);
    const end = near.toLowerCase().indexOf(endTag);
    return end < 0 ? '' : near.slice(0, end);
  }
}

function add(list: string[], value: string): void {
  if (value !== '' && list.length < maxValues) list.push(beginning(value, maxWords));
}

function relationsOf(values: Values): readonly string[] {
  return (values[Attribute.rel] ?? '').toLowerCase().split(/\s+/, 16);
}
