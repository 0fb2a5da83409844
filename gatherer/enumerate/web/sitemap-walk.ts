import type { Fetch, FetchResponse } from '../../../fetch/index.ts';
import { failure, GarnerError } from '../../../kernel/index.ts';
import type { Enumerated, EnumerationMemory, Remembered } from '../enumerator.ts';
import { enumerationErrors } from '../errors.ts';
import type { SiteScope } from './site-scope.ts';
import { readSitemap, sitemapMaxBytes } from './sitemap.ts';

/** A page of a sitemap or page list, or an item for the list itself. */
export type SeedNews =
  | { readonly kind: 'page'; readonly url: string; readonly from: string; readonly modified?: number }
  | { readonly kind: 'item'; readonly item: Enumerated };

export interface SitemapWalkOptions {
  readonly scope: SiteScope;
  readonly fetch: Fetch;
  readonly memory: EnumerationMemory;
  /** Sitemaps that robots.txt names. */
  readonly declared: readonly string[];
  /** Whether to try `/sitemap.xml` although it is not declared. */
  readonly guess: boolean;
  readonly minDelayMs: number | undefined;
  readonly signal: AbortSignal;
}

/** Max sitemaps read for one site in one run. */
const maxSitemaps = 1000;

interface Waiting {
  readonly url: string;
  readonly from?: string;
  /** It is not declared, so its absence is not reported. */
  readonly guessed: boolean;
}

/** Every sitemap of a site, indexes unfolded. A sitemap that is unchanged since the last run is not read again. */
export async function* walkSitemaps(options: SitemapWalkOptions): AsyncGenerator<SeedNews> {
  const { scope, declared, guess } = options;
  const waiting: Waiting[] = declared.map((url) => ({
    url,
    from: `${scope.origin}/robots.txt`,
    guessed: false,
  }));
  if (guess) waiting.push({ url: `${scope.origin}/sitemap.xml`, guessed: true });
  const seen = new Set<string>();
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { url, included, rule } = scope.onSiteVerdict(next.url);
    if (seen.has(url)) continue;
    seen.add(url);
    const refusal = included ? undefined : rule;
    const limit = seen.size > maxSitemaps ? `no more than ${maxSitemaps} sitemaps` : refusal;
    if (limit !== undefined) {
      yield itemNews({ ...metAt(next, url), kind: 'skipped', rule: limit });
      // Beyond the limit one item is enough.
      if (seen.size > maxSitemaps) return;
      continue;
    }
    const children = yield* walkOne({ ...next, url }, options);
    for (const child of children)
      if (waiting.length <= maxSitemaps) waiting.push({ url: child, from: url, guessed: false });
  }
}

const itemNews = (item: Enumerated): SeedNews => ({ kind: 'item', item });

const metAt = (waiting: Waiting, url: string) => ({
  url,
  depth: 1,
  ...(waiting.from !== undefined && { discoveredFrom: waiting.from }),
});

/** One sitemap: its pages are yielded, the sitemaps it names are the result. */
async function* walkOne(
  waiting: Waiting,
  { scope, fetch, memory, minDelayMs, signal }: SitemapWalkOptions,
): AsyncGenerator<SeedNews, readonly string[]> {
  const { url } = waiting;
  const recalled = await memory.recall(url);
  const known = recalled?.links && recalled.sitemaps ? recalled : undefined;
  const sitemaps: string[] = [];
  try {
    await using response = await fetch({
      url,
      etag: known?.etag,
      lastModified: known?.lastModified,
      maxBytes: sitemapMaxBytes,
      minDelayMs,
      signal,
    });
    const same = response.notModified || (response.status === 200 && sameStrongTag(response, known));
    if (known && same) {
      yield* replay(url, known);
      yield itemNews({ ...metAt(waiting, url), kind: 'sitemap', remember: known });
      return known.sitemaps ?? [];
    }
    if (response.status !== 200) {
      // The absence of an undeclared sitemap is no fault, but a failing server is.
      const failing = response.status >= 500 || response.status === 429;
      if (failing || !waiting.guessed)
        yield itemNews({ ...metAt(waiting, url), kind: 'failed', error: badStatus(url, response) });
      if (!failing || !known) return [];
      yield* replay(url, known);
      return known.sitemaps ?? [];
    }
    // Each page may be named by all its other languages.
    const links = new Set<string>();
    const entries = readSitemap(response.body, url);
    let entry = await entries.next();
    for (; !entry.done; entry = await entries.next()) {
      const found = scope.onSiteVerdict(entry.value.url, url);
      if (entry.value.kind === 'sitemap') sitemaps.push(entry.value.url);
      else if (found.included && !links.has(found.url)) {
        links.add(found.url);
        const { modified } = entry.value;
        yield { kind: 'page', url: found.url, from: url, ...(modified !== undefined && { modified }) };
      }
    }
    if (!entry.value) {
      if (!waiting.guessed)
        yield itemNews({ ...metAt(waiting, url), kind: 'skipped', rule: 'it is no sitemap' });
      return [];
    }
    yield itemNews({
      ...metAt(waiting, url),
      kind: 'sitemap',
      remember: remembered(response, [...links], sitemaps),
    });
    return sitemaps;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof GarnerError)) throw error;
    yield itemNews({ ...metAt(waiting, url), kind: 'failed', error });
    if (!known) return sitemaps;
    yield* replay(url, known);
    return [...sitemaps, ...(known.sitemaps ?? [])];
  }
}

function* replay(from: string, known: Remembered): Generator<SeedNews> {
  for (const url of known.links ?? []) yield { kind: 'page', url, from };
}

/** Whether the ETag of an unconditional answer means the remembered bytes. */
export function sameStrongTag(response: FetchResponse, known: Remembered | undefined): boolean {
  return response.etag !== undefined && response.etag === known?.etag && !response.etag.startsWith('W/');
}

/** The error for an answer with an unusable status. */
export function badStatus(url: string, response: FetchResponse): GarnerError {
  return failure(enumerationErrors.GATHERER_BAD_STATUS, { url, status: response.status });
}

function remembered(
  response: FetchResponse,
  links: readonly string[],
  sitemaps: readonly string[],
): Remembered {
  const { etag, lastModified } = response;
  return {
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
    links,
    sitemaps,
  };
}
