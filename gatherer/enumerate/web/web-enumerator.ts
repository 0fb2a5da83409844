import { type Fetch, isLoopbackHost, type RobotsPolicy } from '../../../fetch/index.ts';
import type { DocumentInput } from '../../../readers/document/index.ts';
import type { Enumerated, EnumerationMemory, Enumerator, PageFacts, ScopeVerdict } from '../enumerator.ts';
import type { ScopeRule } from '../scope-rule.ts';
import { SiteScope } from './site-scope.ts';

/** Limits of an enumeration; an absent one means no limit. Every cut is reported. */
export interface WebLimits {
  /** Max URLs requested in one run. */
  readonly maxUrls?: number;
  /** Max links from the root; 0 is the root alone. */
  readonly maxDepth?: number;
  /** Max size of a document; 64 MiB when absent. */
  readonly maxBytesPerDocument?: number;
}

export interface WebEnumeratorOptions {
  /** http(s) URL; its scheme, host and port limit the enumeration. */
  readonly root: string;
  readonly fetch: Fetch;
  /** What the summary of a document says; called once for each body that is read. */
  readonly factsOf: (document: DocumentInput) => Promise<PageFacts>;
  /** Called for a document that was read and is not yielded. */
  readonly drop?: (document: DocumentInput) => void;
  /** When absent, robots.txt is ignored. */
  readonly robots?: RobotsPolicy;
  readonly limits?: WebLimits;
  /** The options of the RootNode: other hosts, filters, limits, delay and order. */
  readonly rule?: ScopeRule;
  /** Only documents below the root's folder. */
  readonly stayBelow?: boolean;
  /** Whether sitemaps are read; true when absent. */
  readonly sitemaps?: boolean;
  /** Whether the page lists of site generators are read; true when absent. */
  readonly pageLists?: boolean;
  /** Parameters that are no part of an address: sessions and campaigns. */
  readonly ignoreParameters?: readonly string[];
  /** Whether further such parameters are learned; true when absent. */
  readonly learnParameters?: boolean;
  /** Max pages of one pattern of addresses that show nothing new, 250 when absent; 0 is no limit. */
  readonly trapPages?: number;
  /** Documents read at a time; 4 when absent, and 8 from this machine itself. */
  readonly concurrency?: number;
  /** URLs waiting in memory, the others in a temporary file; 100,000 when absent. */
  readonly frontierUrls?: number;
}

/**
 * Enumerates a web site over HTTP(S), breadth first, from its root and its sitemaps, then from the page lists of its
 * generators. The order is that of a crawl with one request at a time, however many are in flight, so that equal sites
 * give equal runs.
 */
export class WebEnumerator implements Enumerator {
  readonly #options: WebEnumeratorOptions;
  readonly #scope: SiteScope;

  /** Throws GATHERER_ROOT_INVALID. */
  constructor(options: WebEnumeratorOptions) {
    this.#options = options;
    this.#scope = new SiteScope(options.root, options.stayBelow, options.rule, options.ignoreParameters);
  }

  /** The root in normal spelling. */
  get root(): string {
    return this.#scope.root;
  }

  /** Whether a URL would be gathered, apart from limits of a run, and the rule that decides. */
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

  async *enumerate(memory: EnumerationMemory, signal?: AbortSignal): AsyncIterable<Enumerated> {
    // The crawl is loaded at the first enumeration of a web site.
    const { WebCrawl } = await import('./web-crawl.ts');
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
      learnParameters: options.learnParameters ?? true,
      trapPages: options.trapPages ?? 250,
      frontierUrls: options.frontierUrls ?? 100_000,
      maxUrls: limits?.maxUrls ?? Number.POSITIVE_INFINITY,
      maxDepth: limits?.maxDepth ?? Number.POSITIVE_INFINITY,
      maxBytes: limits?.maxBytesPerDocument ?? 64 * 1024 * 1024,
    });
    yield* crawl.run(signal);
  }
}
