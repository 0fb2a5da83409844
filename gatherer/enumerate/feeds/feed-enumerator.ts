import { createHash } from 'node:crypto';
import { readBody } from '../../../fetch/index.ts';
import { failure, type GarnerError, isGarnerError } from '../../../kernel/index.ts';
import { type FeedEntry, readFeed } from '../../../readers/feeds/index.ts';
import type { Enumerated, EnumerationMemory, Enumerator, Remembered, ScopeVerdict } from '../enumerator.ts';
import { type LeafReading, leafReading } from '../leaves/leaf-enumerator.ts';
import { type Leaf, LeafReader } from '../leaves/leaf-reader.ts';
import { rootErrors } from '../root-errors.ts';
import type { ScopeRule } from '../scope-rule.ts';
import { normaliseUrl } from '../web/site-scope.ts';

export interface FeedEnumeratorOptions extends LeafReading {
  /** Decides which documents of the entries belong to the root; its URL is the feed's. */
  readonly rule: ScopeRule;
  /** Max pages of one feed, 100 when absent. */
  readonly maxPages?: number;
}

interface Page {
  readonly url: string;
  readonly entries: readonly FeedEntry[];
  readonly next: string | undefined;
  readonly item: Enumerated;
  readonly cut: boolean;
}

const maxFeedBytes = 32 * 1024 * 1024;

/**
 * Enumerates the documents that an RSS, Atom or JSON feed links to, page by page. An entry with an unchanged date is
 * not requested. Documents that have left the feed are requested conditionally, because a feed has only the newest
 * entries.
 */
export class FeedEnumerator implements Enumerator {
  readonly #options: FeedEnumeratorOptions;
  /** Marks the rows of this feed. */
  readonly #mark: string;

  constructor(options: FeedEnumeratorOptions) {
    this.#options = options;
    this.#mark = `feed ${createHash('sha256').update(options.rule.root.url).digest('base64url').slice(0, 10)}`;
  }

  /** The row of an entry without a date: only the mark of its feed. */
  get #undated() {
    return { stamp: this.#mark, undated: true };
  }

  get #delayMs(): number {
    const { delayMs = 0, rule } = this.#options;
    return Math.max(delayMs, (rule.root.delaySeconds ?? 0) * 1000);
  }

  async *enumerate(memory: EnumerationMemory, signal?: AbortSignal): AsyncIterable<Enumerated> {
    const scope = this.#options.rule.begin();
    const delayMs = this.#delayMs;
    const reader = new LeafReader({ ...leafReading(this.#options), memory, scope, delayMs, signal });
    yield* reader.read(this.#leaves(memory, signal));
    // A limit that cut the feed also cuts older entries.
    yield* reader.read(this.#fallenOut(memory, reader));
  }

  async decide(url: string, signal?: AbortSignal): Promise<ScopeVerdict> {
    const { rule: scope, robots } = this.#options;
    const feed = scope.root.url;
    const normal = normaliseUrl(url) ?? url;
    if (normal === normaliseUrl(feed))
      return {
        url: normal,
        included: false,
        rule: 'it is the feed itself: only the documents of its entries are read',
      };
    const verdict = await scope.verdict(normal);
    if (!verdict.included) return verdict;
    const robot = /^https?:/.test(normal) ? await robots?.allowed(normal, signal) : undefined;
    if (robot?.allowed === false) return { url: normal, included: false, rule: robot.rule };
    const rules = [verdict.rule, ...(robot ? [robot.rule] : []), `only if an entry of ${feed} leads there`];
    return { ...verdict, rule: rules.join('; ') };
  }

  async *#leaves(
    memory: EnumerationMemory,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Leaf | Enumerated> {
    const { maxPages = 100 } = this.#options;
    const { url: root } = this.#options.rule.root;
    const seen = new Set<string>();
    for (let url: string | undefined = normaliseUrl(root) ?? root; url !== undefined; ) {
      seen.add(url);
      const page: Page | GarnerError = await this.#page(url, memory, signal);
      if (page instanceof Error) {
        // The first page is the root itself.
        if (seen.size === 1) throw page;
        return yield { url: feedRow(url), depth: 0, kind: 'failed', error: page };
      }
      yield page.item;
      if (page.cut) yield cutAt(page.url, 'no more than 50000 entries of one feed');
      for (const { link, modified } of page.entries) {
        const target = normaliseUrl(link, page.url);
        if (target === undefined) continue;
        const dated =
          modified === undefined ? this.#undated : { modified, stamp: `${this.#mark} ${modified}` };
        yield { url: target, depth: 1, from: page.url, ...dated };
      }
      const next: string | undefined =
        page.next === undefined ? undefined : normaliseUrl(page.next, page.url);
      // The next page is on the same origin and was not read yet.
      const circle: boolean =
        next === undefined || seen.has(next) || new URL(next).origin !== new URL(page.url).origin;
      if (!circle && seen.size >= maxPages)
        return yield cutAt(next ?? url, `no more than ${maxPages} pages of one feed`);
      url = circle ? undefined : next;
    }
  }

  /** One page, from memory when the server reports that it is unchanged. */
  async #page(
    url: string,
    memory: EnumerationMemory,
    signal: AbortSignal | undefined,
  ): Promise<Page | GarnerError> {
    const known = await memory.recall(feedRow(url));
    const fault = (why: string) => failure(rootErrors.GATHERER_FEED, { url, why });
    try {
      await using response = await this.#options.fetch({
        url,
        maxBytes: maxFeedBytes,
        minDelayMs: this.#delayMs,
        signal,
        ...(known?.links && { etag: known.etag, lastModified: known.lastModified }),
      });
      if (response.notModified && known?.links) return remembered(response.url, known, url);
      if (response.status !== 200) return fault(`status ${response.status}`);
      const feed = readFeed(await readBody(response));
      if (feed === undefined) return fault('it is neither RSS, Atom nor JSON Feed');
      const { etag, lastModified } = response;
      const remember: Remembered = {
        ...(etag !== undefined && { etag }),
        ...(lastModified !== undefined && { lastModified }),
        // The date of an entry precedes its link.
        links: feed.entries.map(({ link, modified }) => `${modified ?? ''} ${link}`),
        sitemaps: feed.next === undefined ? [] : [feed.next],
      };
      return { url: response.url, ...feed, item: pageItem(url, remember) };
    } catch (error) {
      signal?.throwIfAborted();
      if (isGarnerError(error)) return error;
      throw error;
    }
  }

  /** Documents that this feed named in earlier runs and does not name now. */
  async *#fallenOut(memory: EnumerationMemory, reader: LeafReader): AsyncGenerator<Leaf> {
    for await (const url of memory.known?.() ?? []) {
      if (reader.met(url)) continue;
      const row = await memory.recall(url);
      if (row?.stamp === this.#mark || row?.stamp?.startsWith(`${this.#mark} `))
        yield { url, depth: 1, ...this.#undated };
    }
  }
}

/** The row of a feed, which is no document: its URL has a fragment that no document's URL has. */
function feedRow(url: string): string {
  return `${url}#feed`;
}

/** The item of a page that a limit leaves out. */
function cutAt(url: string, rule: string): Enumerated {
  return { url: `${url}#feed-limit`, depth: 0, kind: 'skipped', rule, limit: true };
}

function pageItem(url: string, remember: Remembered): Enumerated {
  return { url: feedRow(url), depth: 0, kind: 'sitemap', remember };
}

/** A page from memory, at its current URL; `requested`: the URL of its row. */
function remembered(url: string, known: Remembered, requested: string): Page {
  const entries = (known.links ?? []).map((line) => {
    const at = line.indexOf(' ');
    const modified = Number(line.slice(0, at));
    return { link: line.slice(at + 1), ...(at > 0 && { modified }) };
  });
  return {
    url,
    entries,
    next: known.sitemaps?.[0],
    item: pageItem(requested, known),
    cut: false,
  };
}
