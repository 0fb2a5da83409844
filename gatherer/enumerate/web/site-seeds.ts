import type { Fetch, RobotsPolicy } from '../../../fetch/index.ts';
import type { EnumerationMemory } from '../enumerator.ts';
import { crawlDelayMs } from './crawl-limits.ts';
import { PageLists } from './page-list-walk.ts';
import type { SiteScope } from './site-scope.ts';
import { type SeedNews, walkSitemaps } from './sitemap-walk.ts';

export interface SiteSeedsOptions {
  readonly scope: SiteScope;
  readonly fetch: Fetch;
  readonly memory: EnumerationMemory;
  readonly robots?: RobotsPolicy;
  /** Whether sitemaps are read. */
  readonly sitemaps: boolean;
  /** Whether page lists are read. */
  readonly pageLists: boolean;
  /** Min milliseconds between two requests; a longer delay of robots.txt has priority. */
  readonly delayMs: number;
  /** Whether a URL in normal spelling was met in this run. */
  readonly met: (url: string) => boolean;
  readonly signal: AbortSignal;
}

/** A site's lists of its own pages, for one run: its sitemaps and its generators' page lists. */
export class SiteSeeds {
  readonly #options: SiteSeedsOptions;
  readonly #lists: PageLists;
  #sitemapsRead = false;

  constructor(options: SiteSeedsOptions) {
    this.#options = options;
    this.#lists = new PageLists(options);
  }

  /** Note the page lists that a page declares; URLs in normal spelling. */
  note(listUrls: readonly string[]): void {
    if (this.#options.pageLists) this.#lists.note(listUrls);
  }

  /** Pages in sitemaps; only the first call yields them. */
  async *fromSitemaps(): AsyncGenerator<SeedNews> {
    const { scope, robots, fetch, memory, sitemaps, delayMs, signal } = this.#options;
    if (!sitemaps || this.#sitemapsRead) return;
    this.#sitemapsRead = true;
    const guessed = `${scope.origin}/sitemap.xml`;
    const declared = (await robots?.sitemaps(scope.root, signal)) ?? [];
    const verdict = await robots?.allowed(guessed, signal);
    const guess = verdict?.allowed ?? true;
    const minDelayMs = Math.max(crawlDelayMs(verdict) ?? 0, delayMs);
    yield* walkSitemaps({ scope, fetch, memory, declared, guess, minDelayMs, signal });
  }

  /** Pages named by the page lists that were noted since the last call. */
  fromPageLists(): AsyncGenerator<SeedNews> {
    return this.#lists.read();
  }
}
