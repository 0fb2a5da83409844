import { type Fetch, type FetchResponse, fetchErrors, type RobotsPolicy } from '../../../fetch/index.ts';
import { GarnerError } from '../../../kernel/index.ts';
import type { Enumerated, EnumerationMemory, Remembered } from '../enumerator.ts';
import { crawlDelayMs } from './crawl-limits.ts';
import { pageListMaxBytes, pageUrls, readPageList } from './page-list.ts';
import { robotsRefusal } from './site-failure.ts';
import type { SiteScope } from './site-scope.ts';
import { badStatus, type SeedNews, sameStrongTag } from './sitemap-walk.ts';

export interface PageListsOptions {
  readonly scope: SiteScope;
  readonly fetch: Fetch;
  readonly memory: EnumerationMemory;
  readonly robots?: RobotsPolicy | undefined;
  /** Min milliseconds between two requests; a longer delay of robots.txt has priority. */
  readonly delayMs: number;
  /** Whether a URL in normal spelling was met in this run. */
  readonly met: (url: string) => boolean;
  readonly signal: AbortSignal;
}

/** Max page lists read for one site in one run. */
const maxLists = 1000;

const tooLarge = `no page list larger than ${pageListMaxBytes} bytes`;

// A link may lead to the same file, which is then a document too: no document's URL has a fragment.
const rowUrl = (listUrl: string) => `${listUrl}#pages`;

/** The page lists of a site that its pages led to, each read once in a run, and not again while it is unchanged. */
export class PageLists {
  readonly #options: PageListsOptions;
  readonly #noted = new Set<string>();
  #waiting: string[] = [];

  constructor(options: PageListsOptions) {
    this.#options = options;
  }

  /** Note the lists that a page declares; URLs in normal spelling. */
  note(listUrls: readonly string[]): void {
    for (const url of listUrls) {
      if (this.#noted.has(url) || this.#noted.size > maxLists) continue;
      this.#noted.add(url);
      this.#waiting.push(url);
    }
  }

  /** The pages named by the lists noted since the last time. */
  async *read(): AsyncGenerator<SeedNews> {
    const lists = this.#waiting;
    this.#waiting = [];
    for (const url of lists) {
      // Beyond the limit one item is enough.
      if (this.#noted.size > maxLists && url === lists.at(-1))
        yield knownOf(url, { kind: 'skipped', rule: `no more than ${maxLists} page lists` });
      else yield* this.#readOne(url);
    }
  }

  async *#readOne(url: string): AsyncGenerator<SeedNews> {
    const { memory, fetch, robots, delayMs, signal } = this.#options;
    const verdict = await robots?.allowed(url, signal);
    const recalled = await memory.recall(rowUrl(url));
    const known = recalled?.links && recalled.sitemaps ? recalled : undefined;
    const barred = robotsRefusal(url, verdict);
    if (barred?.kind === 'refused') return yield knownOf(url, { kind: 'skipped', rule: barred.rule });
    if (barred?.kind === 'failed') return yield* this.#fail(url, barred.error, known);
    let response: FetchResponse | undefined;
    try {
      response = await fetch({
        url,
        etag: known?.etag,
        lastModified: known?.lastModified,
        redirect: 'manual',
        maxBytes: pageListMaxBytes,
        minDelayMs: Math.max(crawlDelayMs(verdict) ?? 0, delayMs),
        signal,
      });
      yield* this.#understand(url, response, known);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof GarnerError)) throw error;
      if (response && error.code === fetchErrors.FETCH_TOO_LARGE.code)
        yield knownOf(url, refusal(tooLarge, response));
      else yield* this.#fail(url, error, known);
    } finally {
      await response?.[Symbol.asyncDispose]();
    }
  }

  async *#understand(
    url: string,
    response: FetchResponse,
    known: Remembered | undefined,
  ): AsyncGenerator<SeedNews> {
    const { status, location } = response;
    if (known && (response.notModified || (status === 200 && sameStrongTag(response, known)))) {
      yield* this.#pages(url, known.links ?? []);
      const { skipped } = known;
      if (skipped === undefined) yield knownOf(url, { kind: 'sitemap', remember: known });
      else yield knownOf(url, { kind: 'skipped', rule: skipped, remember: known });
      return;
    }
    // The list was only assumed: its absence is not reported.
    if (status === 404 || status === 410) return;
    if (location !== undefined) {
      yield knownOf(url, { kind: 'skipped', rule: `it redirects to ${location}` });
      return;
    }
    if (status === 401 || status === 403) {
      yield knownOf(url, { kind: 'skipped', rule: `the server does not allow it (status ${status})` });
      return;
    }
    if (status !== 200) {
      yield* this.#fail(url, badStatus(url, response), known);
      return;
    }
    const read = await readPageList(response.body, url);
    if ('refused' in read) {
      yield knownOf(url, refusal(read.refused, response));
      return;
    }
    yield* this.#pages(url, read.names);
    const remember = { ...validatorsOf(response), links: read.names, sitemaps: [] };
    yield knownOf(url, { kind: 'sitemap', remember });
  }

  *#pages(from: string, names: readonly string[]): Generator<SeedNews> {
    const { scope, met } = this.#options;
    const normal = (url: string) => scope.onSiteVerdict(url);
    for (const named of pageUrls(from, names, (url) => met(normal(url).url))) {
      const { url, included } = normal(named);
      if (included) yield { kind: 'page', url, from };
    }
  }

  /** The list could not be read this time: the pages of the last time are requested. */
  *#fail(url: string, error: GarnerError, known: Remembered | undefined): Generator<SeedNews> {
    yield knownOf(url, { kind: 'failed', error });
    yield* this.#pages(url, known?.links ?? []);
  }
}

type ListResult =
  | Pick<Extract<Enumerated, { kind: 'sitemap' }>, 'kind' | 'remember'>
  | Pick<Extract<Enumerated, { kind: 'skipped' }>, 'kind' | 'rule' | 'remember'>
  | Pick<Extract<Enumerated, { kind: 'failed' }>, 'kind' | 'error'>;

function knownOf(listUrl: string, item: ListResult): SeedNews {
  return { kind: 'item', item: { url: rowUrl(listUrl), depth: 1, ...item } };
}

/** A useless list is not read again while it is unchanged. */
function refusal(rule: string, response: FetchResponse): ListResult {
  return {
    kind: 'skipped',
    rule,
    remember: { ...validatorsOf(response), links: [], sitemaps: [], skipped: rule },
  };
}

function validatorsOf({ etag, lastModified }: FetchResponse) {
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}
