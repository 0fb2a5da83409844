import { type Fetch, isLoopbackHost, type RobotsPolicy } from '../../../fetch/index.ts';
import type { DocumentInput } from '../../../readers/document/index.ts';
import type { Enumerated, EnumerationMemory, Enumerator, ScopeVerdict } from '../enumerator.ts';
import type { ScopeRule } from '../scope-rule.ts';
import { SiteScope } from './site-scope.ts';
import { WebCrawl } from './web-crawl.ts';

/** Where an enumeration stops though there is more; what is absent has no limit. Every cut is told of. */
export interface WebLimits {
  /** Most URLs asked for in one run. */
  readonly maxUrls?: number;
  /** Most links from the root; 0 is the root alone. */
  readonly maxDepth?: number;
  /** Largest document that is read; 64 MiB when absent. */
  readonly maxBytesPerDocument?: number;
}

export interface WebEnumeratorOptions {
  /** http(s) URL; its scheme, host and port bound the enumeration. */
  readonly root: string;
  readonly fetch: Fetch;
  /** Links of a document that may be followed, absolute or relative to it; called once for each body that is read. */
  readonly linksOf: (document: DocumentInput) => Promise<readonly string[]>;
  /** Left out: robots.txt is not asked. */
  readonly robots?: RobotsPolicy;
  readonly limits?: WebLimits;
  /** The options of the RootNode: other hosts, filters, limits, delay and order. */
  readonly rule?: ScopeRule;
  /** Only what lies below the root's folder. */
  readonly stayBelow?: boolean;
  /** Whether sitemaps are read; they are when absent. */
  readonly sitemaps?: boolean;
  /** Whether the page lists that site generators leave are read; they are when absent. */
  readonly pageLists?: boolean;
  /** Documents read at a time; 4 when absent, and 8 from this machine itself. */
  readonly concurrency?: number;
  /** URLs waiting in memory, the others in a temporary file; 100,000 when absent. */
  readonly frontierUrls?: number;
}

/**
 * Enumerates a web site over HTTP(S), breadth first, from its root and its sitemaps, then from what the page
 * lists of its generators name besides. The order is that of a crawl with one request at a time, however many are
 * under way, so that equal sites give equal runs.
 */
export class WebEnumerator implements Enumerator {
  readonly #options: WebEnumeratorOptions;
  readonly #scope: SiteScope;

  /** Throws GATHERER_ROOT_INVALID. */
  constructor(options: WebEnumeratorOptions) {
    this.#options = options;
    this.#scope = new SiteScope(options.root, options.stayBelow, options.rule);
  }

  /** The root in normal spelling. */
  get root(): string {
    return this.#scope.root;
  }

  /** Whether a URL would be gathered, limits of a run aside, and which rule says so. */
  async decide(url: string, signal?: AbortSignal): Promise<ScopeVerdict> {
    const verdict = this.#scope.verdict(url);
    const { robots, rule: rootRule } = this.#options;
    const known = verdict.included ? await rootRule?.verdict(verdict.url) : undefined;
    if (known && !known.included) return known;
    if (!verdict.included || !robots) return verdict;
    const { allowed, rule } = await robots.allowed(verdict.url, signal);
    return { url: verdict.url, included: allowed, rule: allowed ? `${verdict.rule}; ${rule}` : rule };
  }

  covers(url: string): boolean {
    return this.#scope.below(url);
  }

  enumerate(memory: EnumerationMemory, signal?: AbortSignal): AsyncIterable<Enumerated> {
    const { limits, rule, ...options } = this.#options;
    const concurrency = isLoopbackHost(new URL(this.#scope.root).hostname) ? 8 : 4;
    const crawl = new WebCrawl({
      ...options,
      scope: this.#scope,
      memory,
      ...(rule && { rule: rule.begin() }),
      delayMs: (rule?.root.delaySeconds ?? 0) * 1000,
      depthFirst: rule?.root.search === 'depth',
      concurrency: options.concurrency || concurrency,
      sitemaps: options.sitemaps ?? true,
      pageLists: options.pageLists ?? true,
      frontierUrls: options.frontierUrls ?? 100_000,
      maxUrls: limits?.maxUrls ?? Number.POSITIVE_INFINITY,
      maxDepth: limits?.maxDepth ?? Number.POSITIVE_INFINITY,
      maxBytes: limits?.maxBytesPerDocument ?? 64 * 1024 * 1024,
    });
    return crawl.run(signal);
  }
}
