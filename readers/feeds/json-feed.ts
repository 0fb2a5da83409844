import { readFragment } from '../html/index.ts';
import { oneLine } from '../text/index.ts';
import { type Feed, FeedCollector, type FeedFacts, type FeedItem, feedDate } from './feed.ts';

type Values = Readonly<Record<string, unknown>>;

const maxList = 1000;

/** Read a JSON Feed (1.x); undefined for anything else. */
export function readJsonFeed(
  text: string,
  base: string,
  onItem: ((item: FeedItem) => void) | undefined,
): Feed | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const feed = valuesOf(value);
  const version = /jsonfeed\.org\/version\/([\d.]{1,8})|jsonfeed\.org/.exec(textOf(feed, 'version') ?? '');
  if (version === null || !Array.isArray(feed.items)) return undefined;
  const collector = new FeedCollector();
  for (const entry of feed.items as unknown[]) {
    const item = valuesOf(entry);
    const link = textOf(item, 'url') ?? textOf(item, 'external_url');
    const modified = feedDate(textOf(item, 'date_modified') ?? textOf(item, 'date_published'));
    collector.add(link, modified);
    if (entry !== null) onItem?.(itemOf(item, link, modified, base));
  }
  collector.next = textOf(feed, 'next_url');
  return collector.feed(factsOf(feed, version[1]));
}

function itemOf(
  item: Values,
  link: string | undefined,
  modified: number | undefined,
  base: string,
): FeedItem {
  const html = readFragment(textOf(item, 'content_html') ?? '', link ?? base);
  const attached = listOf(item, 'attachments').flatMap((one) => textOf(valuesOf(one), 'url') ?? []);
  return {
    title: oneLine(textOf(item, 'title') ?? ''),
    link,
    text: html.text || oneLine(textOf(item, 'content_text') ?? textOf(item, 'summary') ?? ''),
    authors: authorsOf(item),
    keywords: listOf(item, 'tags').filter((tag) => typeof tag === 'string'),
    modified,
    references: [...html.references.references, ...attached],
  };
}

function factsOf(feed: Values, version: string | undefined): FeedFacts {
  return {
    format: 'JSON Feed',
    version,
    title: oneLine(textOf(feed, 'title') ?? ''),
    description: oneLine(textOf(feed, 'description') ?? ''),
    authors: authorsOf(feed),
    keywords: [],
    language: textOf(feed, 'language'),
    rights: '',
    generator: '',
    modified: undefined,
    home: textOf(feed, 'home_page_url'),
    self: textOf(feed, 'feed_url'),
    hubs: listOf(feed, 'hubs').flatMap((hub) => textOf(valuesOf(hub), 'url') ?? []),
  };
}

/** Version 1.1 has `authors`, version 1 `author`. */
function authorsOf(of: Values): string[] {
  return [...listOf(of, 'authors'), of.author].flatMap((author) => textOf(valuesOf(author), 'name') ?? []);
}

function valuesOf(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {};
}

function textOf(of: Values, key: string): string | undefined {
  const found = of[key];
  return typeof found === 'string' ? found : undefined;
}

function listOf(of: Values, key: string): readonly unknown[] {
  const found = of[key];
  return Array.isArray(found) ? (found as unknown[]).slice(0, maxList) : [];
}
