import { beginning, oneLine } from '../text/index.ts';
import { type FeedFacts, type FeedItem, feedDate } from './feed.ts';

const maxFields = 1000;
const maxNames = 100;
const maxName = 500;

/** The texts of the children of an entry or channel by name, in their order. */
export class FeedFields {
  readonly #values = new Map<string, string[]>();
  #count = 0;

  add(name: string, value: string): void {
    if (++this.#count > maxFields) return;
    const list = this.#values.get(name);
    if (list === undefined) this.#values.set(name, [value]);
    else list.push(value);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  all(...names: readonly string[]): readonly string[] {
    return names.flatMap((name) => this.#values.get(name) ?? []);
  }

  /** The first text that is not blank, by the order of the names. */
  first(...names: readonly string[]): string | undefined {
    return this.all(...names).find((value) => value.trim() !== '');
  }

  date(...names: readonly string[]): number | undefined {
    return names.map((name) => feedDate(this.all(name)[0])).find((seconds) => seconds !== undefined);
  }
}

const bodies = ['encoded', 'content', 'description', 'summary', 'media:description', 'itunes:summary'];
const dates = ['updated', 'modified', 'pubdate', 'date', 'published', 'issued'];

/** An entry of RSS or Atom. */
export function itemOf(fields: FeedFields): FeedItem {
  const guid = fields.first('guid');
  const link = fields.first('link') ?? (guid !== undefined && /^\s*https?:/.test(guid) ? guid : undefined);
  return {
    title: fields.first('title') ?? '',
    link,
    text: fields.first(...bodies) ?? '',
    authors: people(fields),
    keywords: keywords(fields),
    modified: fields.date(...dates),
    references: fields.all('reference'),
  };
}

/** What the channel says of itself. */
export function factsOf(
  fields: FeedFields,
  format: FeedFacts['format'],
  version: string | undefined,
): FeedFacts {
  return {
    format,
    version,
    title: fields.first('title') ?? '',
    description: fields.first('description', 'subtitle', 'tagline', 'itunes:summary') ?? '',
    authors: people(fields),
    keywords: keywords(fields),
    language: fields.first('language', 'xml:lang')?.trim(),
    rights: oneLine(fields.first('copyright', 'rights') ?? ''),
    generator: oneLine(fields.first('generator') ?? ''),
    modified: fields.date('updated', 'modified', 'lastbuilddate', 'pubdate', 'date'),
    home: fields.first('link', 'link alternate')?.trim(),
    self: fields.first('link self')?.trim(),
    hubs: fields.all('link hub'),
  };
}

function people(fields: FeedFields): string[] {
  const named = fields
    .all('author', 'creator', 'itunes:author', 'managingeditor')
    .map((value) => oneLine(beginning(value, maxName)))
    // RSS: an address with the name in brackets.
    .map((value) => /^[^()]*@[^()]*\(([^()]+)\)$/.exec(value)?.[1] ?? value);
  return [...new Set(named.filter((name) => name !== ''))].slice(0, maxNames);
}

function keywords(fields: FeedFields): string[] {
  const words = [
    ...fields.all('category', 'subject'),
    ...fields.all('itunes:keywords', 'media:keywords').flatMap((list) => list.split(',')),
  ];
  return [...new Set(words.map(oneLine).filter(Boolean))].slice(0, maxNames);
}
